"""What is refused before anything is written, each with its sentence and what to do."""

from __future__ import annotations

from enum import Enum

from prefxl.errors import FileRefusedError


class Refusal(Enum):
    """Why a workbook is not annotated; the value is (English, Russian)."""

    STRICT = (
        'is saved as "Strict Open XML". Save it in Excel as an ordinary Excel workbook (.xlsx) and run again.',
        "сохранён как «Книга Excel в строгом формате Open XML». "
        "Сохраните его в Excel как обычную книгу (.xlsx) и запустите снова.",
    )
    ENCRYPTED = (
        "is protected by a password for opening. Remove it in Excel (File, Info, Protect Workbook) and run again.",
        "закрыт паролем на открытие. Снимите пароль в Excel (Файл, Сведения, Защита книги) и запустите снова.",
    )
    SIGNED = (
        "is digitally signed; any change would break the signature. Annotate an unsigned copy.",
        "подписан электронной подписью; любое изменение её нарушит. Возьмите копию без подписи.",
    )
    SHARED = (
        "is a shared workbook with a history of changes. Stop sharing it in Excel (Review) and run again.",
        "— общая книга с журналом исправлений. Отключите общий доступ в Excel (Рецензирование) и запустите снова.",
    )
    LOCKED = (
        "has a locked structure: no sheets may be added. Unprotect the workbook in Excel (Review), "
        "or let the report go to a new workbook.",
        "имеет защищённую структуру: листы добавлять нельзя. Снимите защиту книги в Excel (Рецензирование) "
        "или выведите отчёт в новую книгу.",
    )
    OLD_EXCEL = (
        "is a workbook of the old format (.xls), which cannot be annotated. "
        "The report can go to a new workbook, or save it as .xlsx first.",
        "— книга старого формата (.xls), её нельзя дополнить. "
        "Отчёт можно вывести в новую книгу или сначала сохранить файл как .xlsx.",
    )
    BINARY = (
        "is a binary workbook (.xlsb), which cannot be annotated. "
        "The report can go to a new workbook, or save it as .xlsx first.",
        "— двоичная книга (.xlsb), её нельзя дополнить. "
        "Отчёт можно вывести в новую книгу или сначала сохранить файл как .xlsx.",
    )
    OPEN_DOCUMENT = (
        "is an OpenDocument spreadsheet (.ods), which cannot be annotated. "
        "The report can go to a new workbook, or save it as .xlsx first.",
        "— таблица OpenDocument (.ods), её нельзя дополнить. "
        "Отчёт можно вывести в новую книгу или сначала сохранить файл как .xlsx.",
    )
    NOT_A_WORKBOOK = (
        "is not an Excel workbook (.xlsx or .xlsm), whatever its name says.",
        "— не книга Excel (.xlsx или .xlsm), что бы ни говорило имя файла.",
    )
    BROKEN = (
        "is damaged. Open it in Excel, let it repair the workbook, save and run again.",
        "повреждён. Откройте его в Excel, согласитесь на восстановление, сохраните и запустите снова.",
    )
    HOSTILE = (
        "contains declarations that no spreadsheet program writes (DOCTYPE); it is not opened.",
        "содержит объявления, которых табличные программы не пишут (DOCTYPE); он не открывается.",
    )
    TOO_LARGE = (
        "unpacks to an unreasonable size; it is not opened.",
        "распаковывается до неразумного размера; он не открывается.",
    )

    @property
    def new_workbook_helps(self) -> bool:
        """Tell whether the report can go to a workbook of its own instead."""
        return self in (Refusal.LOCKED, Refusal.OLD_EXCEL, Refusal.BINARY, Refusal.OPEN_DOCUMENT)


class WorkbookRefusedError(FileRefusedError):
    """A workbook is refused as it is; nothing was written.

    Parameters
    ----------
    name
        Name of the file, for the sentence.
    refusal
        The reason, kept as ``refusal``.
    detail
        Where the fault lies, for the curious: name of a part.
    """

    def __init__(self, name: str, refusal: Refusal, detail: str = "") -> None:
        english, russian = refusal.value
        tail = f" ({detail})" if detail else ""
        super().__init__(f"{name} {english}{tail}", f"{name} {russian}{tail}")
        self.name = name
        self.refusal = refusal
        self.detail = detail

    def __reduce__(self) -> tuple[type[WorkbookRefusedError], tuple[str, Refusal, str]]:
        return type(self), (self.name, self.refusal, self.detail)

"""What can go wrong, said in the user's language: a short family of exceptions.

Every error carries its sentence twice, in English and in Russian, because the
same fault is told in a terminal, in a cell of a workbook and by ``PULYA_WHY``.
"""

from __future__ import annotations


class PrefxlError(Exception):
    """Base of everything ``prefxl`` raises on purpose.

    Parameters
    ----------
    en, ru
        The sentence for the user, in English and in Russian.
    rows
        For a batch: the positions of the games at fault, else empty.
    """

    def __init__(self, en: str, ru: str, rows: tuple[int, ...] = ()) -> None:
        # all three go to the base class, so that the error survives pickling between processes
        super().__init__(en, ru, rows)
        self.en = en
        self.ru = ru
        self.rows = rows

    def __str__(self) -> str:
        return self.en

    def say(self, lang: str = "en") -> str:
        """Return the sentence in ``lang`` (``"ru"`` or ``"en"``)."""
        return self.ru if lang == "ru" else self.en


class RulesError(PrefxlError, ValueError):
    """The house rules asked for do not exist, or cannot be applied to this sheet."""


class SheetError(PrefxlError, ValueError):
    """A score sheet handed to :func:`prefxl.settle` is not a score sheet."""


class OptionError(PrefxlError, ValueError):
    """An option of a command or function has a value that means nothing."""


class FileError(PrefxlError, OSError):
    """A file cannot be read or written."""

    # OSError with several arguments would print errno and strerror
    def __str__(self) -> str:
        return self.en


class FileRefusedError(FileError):
    """A file is refused as it is (encrypted, too large, signed, ...): nothing was read or written."""


class FileInTheWayError(FileError, FileExistsError):
    """The output is there already, and ``overwrite`` was not asked for."""


class SettlementMissingError(PrefxlError, LookupError):
    """A game, player or sheet that was asked for by name is not there."""

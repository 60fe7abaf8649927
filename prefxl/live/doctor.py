"""What stands between this machine and a working ``=PULYA()``, told in plain words.

``look_around`` gathers facts, the checks judge them: so every verdict can be tried
on any machine. The checks are the troubles that users of xlwings report most.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import TypeAlias

from prefxl.errors import PrefxlError
from prefxl.live import answers
from prefxl.live.addin import NAME, write_addin
from prefxl.live.answers import Asked

#: Fine or not, and the sentence in English and in Russian.
Verdict: TypeAlias = tuple[bool, str, str]

#: Excel waits so long for Python to start before it gives up [s]; half of it is slow already.
SLOW = 10.0

_GAME = ([[10.0], [8.0], [6.0]], [[2.0], [0.0], [7.0]], [[None, 10.0, 20.0], [5.0, None, 0.0], [0.0, 30.0, None]])
_RESULT = [[62.0], [2.0], [-64.0]]


@dataclass(frozen=True)
class Machine:
    """The facts the checks look at.

    Attributes
    ----------
    system
        ``sys.platform``.
    python
        The Python that runs, and that Excel would start.
    encodable
        Whether its path can be said in the old one-byte alphabet of this Windows.
    versions
        The versions of the packages, ``None`` where one is missing.
    libraries
        The names of xlwings' libraries found beside Python.
    excel
        The path of Excel, ``""`` where none is registered.
    conda
        Whether Python belongs to conda.
    loading
        How long the live functions take to load [s]; ``None`` where they do not.
    settings
        The text of the user's own settings of xlwings, ``""`` where there are none.
    """

    system: str
    python: str
    encodable: bool
    versions: dict[str, str | None]
    libraries: tuple[str, ...]
    excel: str
    conda: bool
    loading: float | None
    settings: str


def diagnose(machine: Machine | None = None) -> list[Verdict]:
    """Return every check with its verdict; ``machine`` is this one unless given."""
    looked_at = look_around() if machine is None else machine
    if looked_at.system != "win32":
        return list(_elsewhere(looked_at))
    return [*_python(looked_at), *_packages(looked_at), *_excel(looked_at), *_settings(looked_at), _rules()]


def install(machine: Machine | None = None, folder: Path | None = None) -> list[Verdict]:
    """Put the add-in where Excel opens it at every start (Windows), and tell what was done.

    Parameters
    ----------
    machine
        This one unless given.
    folder
        Excel's folder of what it opens at its start; found by itself unless given.
    """
    looked_at = look_around() if machine is None else machine
    checks = diagnose(looked_at)
    if looked_at.system != "win32":
        return [
            (
                False,
                "Excel's add-in is for Windows only; nothing was installed.",
                "Надстройка Excel — только для Windows; ничего не установлено.",
            ),
            *checks,
        ]
    start = folder or Path(os.environ.get("APPDATA", "")) / "Microsoft" / "Excel" / "XLSTART"
    try:
        start.mkdir(parents=True, exist_ok=True)
        target = write_addin(start / NAME, overwrite=True, interpreter=looked_at.python)
    except PrefxlError as error:
        return [(False, error.en, error.ru), *checks]
    except OSError as error:
        return [(False, f"{start} cannot be made: {error}", f"не создать {start}: {error}"), *checks]
    done = (
        True,
        f"{target}: Excel opens it at its next start; =PULYA() is then in every workbook.",
        f"{target}: Excel откроет её при следующем запуске, и =PULYA() будет в любой книге.",
    )
    return [done, *checks]


def look_around() -> Machine:
    """Gather the facts of this machine."""
    folders = (Path(sys.executable).parent, Path(sys.executable).parent.parent, Path(sys.prefix))
    libraries = {found.name for folder in folders for found in folder.glob("xlwings*.dll")}
    settings = Path.home() / ".xlwings" / "xlwings.conf"
    return Machine(
        system=sys.platform,
        python=sys.executable,
        encodable=_encodable(sys.executable),
        versions={name: _version(name) for name in ("xlwings", "pywin32", "pyOpenVBA")},
        libraries=tuple(sorted(libraries)),
        excel=_excel_path(),
        conda=(Path(sys.prefix) / "conda-meta").is_dir(),
        loading=_loading_time(),
        settings=settings.read_text(encoding="utf-8", errors="replace") if settings.is_file() else "",
    )


def _python(machine: Machine) -> Iterator[Verdict]:
    store = "WindowsApps" in machine.python
    yield (
        not store,
        "Python comes from the Microsoft Store: Excel cannot start it. Install it from python.org."
        if store
        else f"Python: {machine.python}",
        "Python из Microsoft Store: Excel не может его запустить. Установите его с python.org."
        if store
        else f"Python: {machine.python}",
    )
    if not machine.encodable:
        yield (
            False,
            f"Excel cannot start a Python in {machine.python}: move it to a folder with plain letters, as C:\\Python.",
            f"Excel не запустит Python из {machine.python}: перенесите его в папку с простыми буквами, C:\\Python.",
        )
    if machine.conda:
        yield (
            True,
            "Python is conda's: if Excel says a DLL failed to load, set CONDA PATH and CONDA ENV on the sheet "
            "xlwings.conf and leave INTERPRETER_WIN empty.",
            "Python из conda: если Excel пишет, что DLL не загрузилась, впишите CONDA PATH и CONDA ENV на листе "
            "xlwings.conf, а INTERPRETER_WIN оставьте пустым.",
        )


def _packages(machine: Machine) -> Iterator[Verdict]:
    for name, version in machine.versions.items():
        said = f"{name} {version}" if version else f"pip install {name}"
        yield (
            version is not None,
            said if version else f"the package {name} is missing: {said}",
            said if version else f"нет пакета {name}: {said}",
        )
    xlwings = machine.versions.get("xlwings")
    if xlwings:
        library = f"xlwings64-{xlwings}.dll"
        there = library in machine.libraries
        yield (
            there,
            f"{library} is there"
            if there
            else f"{library} is not beside Python: reinstall xlwings, and allow the file in your antivirus.",
            f"{library} на месте"
            if there
            else f"{library} нет рядом с Python: переустановите xlwings и разрешите этот файл в антивирусе.",
        )
    loading = machine.loading
    yield (
        loading is not None and loading < SLOW,
        'the live functions do not load: run python -c "import prefxl.live.udf" and read the last line.'
        if loading is None
        else f"the live functions load in {loading:.1f} s",
        'живые функции не загружаются: выполните python -c "import prefxl.live.udf" и прочтите последнюю строку.'
        if loading is None
        else f"живые функции загружаются за {loading:.1f} с",
    )


def _excel(machine: Machine) -> Iterator[Verdict]:
    if not machine.excel:
        yield False, "no Excel is registered on this computer", "Excel на этом компьютере не найден"
    elif "WindowsApps" in machine.excel:
        yield (
            False,
            "Excel comes from the Microsoft Store and cannot start Python: install it from office.com, "
            "or use lambda.xlsx.",
            "Excel из Microsoft Store не может запустить Python: установите его с office.com или возьмите lambda.xlsx.",
        )
    else:
        yield True, f"Excel: {machine.excel}", f"Excel: {machine.excel}"


def _settings(machine: Machine) -> Iterator[Verdict]:
    lines = [line.upper().replace('"', "") for line in machine.settings.splitlines()]
    if any(line.startswith("DEBUG UDFS") and line.endswith("TRUE") for line in lines):
        yield (
            False,
            "Debug UDFs is ticked in xlwings' settings: Excel then waits for a server you start yourself. Untick it.",
            "В настройках xlwings включено Debug UDFs: Excel ждёт сервер, который вы запускаете сами. Снимите галочку.",
        )


def _rules() -> Verdict:
    right = answers.results(*_GAME, Asked()) == _RESULT
    return (
        right,
        "PULYA settles a known game rightly" if right else "PULYA settles a known game wrongly: reinstall prefxl",
        "PULYA верно рассчитывает известную игру"
        if right
        else "PULYA ошиблась в известной игре: переустановите prefxl",
    )


def _elsewhere(machine: Machine) -> Iterator[Verdict]:
    mac = machine.system == "darwin"
    yield (
        True,
        "Python in Excel's cells is possible on Windows only. Here:",
        "Python в ячейках Excel возможен только на Windows. Здесь:",
    )
    if mac:
        yield (
            True,
            "in Excel 365 or 2024 for Mac: prefxl template lambda.xlsx",
            "в Excel 365 и 2024 для Mac: prefxl template lambda.xlsx",
        )
    yield (
        True,
        "in LibreOffice 25.2 or later: the add-in prefxl.oxt",
        "в LibreOffice 25.2 и новее: расширение prefxl.oxt",
    )
    yield (
        True,
        "in any spreadsheet: prefxl template pulka-4.xlsx (plain formulas)",
        "в любой таблице: prefxl template pulka-4.xlsx (простые формулы)",
    )
    yield _rules()


def _encodable(path: str) -> bool:
    # mbcs, the alphabet that xlwings' library starts programs in, is known to Windows alone
    return path.isascii() or (sys.platform == "win32" and path.encode("mbcs", "replace").decode("mbcs") == path)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _excel_path() -> str:
    if util.find_spec("winreg") is None:
        return ""
    import winreg

    key = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
    for hive in ("HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE"):
        try:
            return str(winreg.QueryValue(getattr(winreg, hive), key))  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            continue
    return ""


def _loading_time() -> float | None:
    start = time.perf_counter()
    # as Excel starts it: a process of its own
    done = subprocess.run([sys.executable, "-c", "import prefxl.live.udf"], capture_output=True, check=False)
    return None if done.returncode else time.perf_counter() - start

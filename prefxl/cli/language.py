"""The language of help texts and of errors met before any file is read."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise


def interface_language(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return ``"ru"`` or ``"en"``: what ``--lang`` says, else ``PREFXL_LANG``, else the system's language."""
    for word, following in pairwise([*arguments, ""]):
        if word == "--lang" and following in ("ru", "en"):
            return following
        if word in ("--lang=ru", "--lang=en"):
            return word[-2:]
    said = environment.get("PREFXL_LANG") or environment.get("LC_ALL") or environment.get("LANG")
    if said is None:
        said = locale.getlocale()[0] or ""
    return "ru" if said.casefold().startswith(("ru", "rus")) else "en"


#: The language of this process's help.
LANG = interface_language(sys.argv[1:], os.environ)


def t(en: str, ru: str) -> str:
    """Return the text in the language of the interface."""
    return ru if LANG == "ru" else en

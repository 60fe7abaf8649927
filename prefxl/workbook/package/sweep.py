"""Taking a sheet's own parts away with it."""

from __future__ import annotations

from prefxl.workbook.package.parts import Package


def remove_unreached(package: Package, part: str) -> None:
    """Remove a part nothing is related to any more, and with it the parts only it was related to."""
    reached = _reached_from(package, "")
    below = _reached_from(package, part)
    package.remove(part)
    for name in sorted(below - reached):
        package.remove(name)


def _reached_from(package: Package, start: str) -> set[str]:
    """Return the names of all parts relations lead to from a part, step by step."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for relation in package.relations(waiting.pop()):
            name = None if relation.external else package.find(relation.target)
            if name is not None and name not in found:
                found.add(name)
                waiting.append(name)
    return found

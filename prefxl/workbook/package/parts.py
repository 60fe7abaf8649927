"""The parts of a package, their relations and content types, and what of them has changed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Generator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from lxml import etree

from prefxl.workbook.package import xml
from prefxl.workbook.package.archive import FIRST_DAY, Archive, Blob, Member, write_archive

TYPES_PART = "[Content_Types].xml"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"


Found = TypeVar("Found")


class Relation(NamedTuple):
    """A relation of a part; ``target`` is a part's name unless the relation is external."""

    id: str
    type: str
    target: str
    external: bool

    @property
    def kind(self) -> str:
        """The last word of the type: ``worksheet``, ``comments``, ``vmlDrawing`` ..."""
        return self.type.rsplit("/", 1)[-1]


def relations_part(part: str) -> str:
    """Return the name of the part that holds a part's relations (the package's own for ``""``)."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


class Package:
    """A workbook's package, with changes that are kept aside until :meth:`write`."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.file = archive.path.name
        self._trees: dict[str, etree._Element] = {}
        self._dirty: set[str] = set()
        self._blobs: dict[str, Blob] = {}
        self._removed: set[str] = set()
        # parts that are not the source's, in the order in which they came
        self._added: dict[str, None] = {}
        self._added_like: dict[str, str] = {}
        self._derived: dict[str, dict[Callable[..., Any], Any]] = {}

    # -- reading

    def find(self, part: str) -> str | None:
        """Return a part's name as it is spelled, or None if there is no such part."""
        if part in self._added:
            return part
        spelled = self.archive.find(part)
        if spelled is not None and spelled not in self._removed:
            return spelled
        return self._added_like.get(part.lower())

    def names(self) -> list[str]:
        """Return the names of all parts, the source's first."""
        return [*(name for name in self.archive.members if name not in self._removed), *self._added]

    def read(self, part: str) -> bytes:
        """Return a part's present content."""
        name = self.find(part) or part
        if name in self._dirty:
            return xml.serialise(self._trees[name])
        if name in self._blobs:
            return self._blobs[name].content()
        return self.archive.read(name)

    def pieces(self, part: str) -> Generator[bytes, None, None]:
        """Yield a part's present content in pieces; of a large one of the source no more is held at a time."""
        name = self.find(part) or part
        if name in self._dirty or name in self._blobs:
            yield self.read(name)
        else:
            yield from self.archive.pieces(name)

    def tree(self, part: str) -> etree._Element:
        """Return the root element of a part, parsed once; call :meth:`touch` after changing it."""
        name = self.find(part) or part
        if name not in self._trees:
            self._trees[name] = xml.parse(self.read(name), self.file, name)
        return self._trees[name]

    def is_parsed(self, part: str) -> bool:
        """Tell whether a part has been read as XML, and so is well-formed."""
        return part in self._trees

    def derived(self, part: str, find: Callable[[Package, str], Found]) -> Found:
        """Return what ``find`` finds in a part: it is asked again only when the part has changed."""
        known = self._derived.setdefault(self.find(part) or part, {})
        if find not in known:
            known[find] = find(self, part)
        found: Found = known[find]
        return found

    # -- changing

    def touch(self, part: str) -> None:
        """Say that the tree of a part was changed."""
        name = self.find(part) or part
        self._derived.pop(name, None)
        self._dirty.add(name)

    def _add(self, name: str) -> None:
        self._added[name] = None
        self._added_like[name.lower()] = name

    def put(self, part: str, content: bytes | Blob) -> str:
        """Give a part new content; a part that is not there yet is added."""
        name = self.find(part)
        if name is None:
            name = part
            self._add(name)
        blob = content if isinstance(content, Blob) else Blob(content).finish()
        if name in self._blobs:
            self._blobs[name].close()
        self._trees.pop(name, None)
        self._derived.pop(name, None)
        self._dirty.discard(name)
        self._blobs[name] = blob
        return name

    def put_tree(self, part: str, root: etree._Element) -> str:
        """Add a part given as a tree."""
        name = self.find(part)
        if name is None:
            name = part
            self._add(name)
        self._trees[name] = root
        self.touch(name)
        return name

    def remove(self, part: str) -> None:
        """Take a part away, with its relations and its content type."""
        name = self.find(part)
        if name is None:
            return
        self._forget(name)
        if (relations := self.find(relations_part(name))) is not None:
            self._forget(relations)
        if f"/{name}".lower() not in self.derived(TYPES_PART, _types)[0]:
            return
        for override in list(xml.children(self.tree(TYPES_PART), "Override")):
            if (override.get("PartName") or "").lower() == f"/{name}".lower():
                xml.drop(override)
                self.touch(TYPES_PART)

    def is_users(self, part: str) -> bool:
        """Tell whether a part is not of our making: ours bear the first day of all zip files.

        Excel's do too, but other programs write parts that are empty, and these must stay where they are.
        """
        info = self.archive.members.get(part)
        return info is not None and info.date_time != FIRST_DAY

    def _forget(self, name: str) -> None:
        self._trees.pop(name, None)
        self._derived.pop(name, None)
        self._dirty.discard(name)
        if (blob := self._blobs.pop(name, None)) is not None:
            blob.close()
        if name in self._added:
            del self._added[name], self._added_like[name.lower()]
        else:
            self._removed.add(name)

    def free_name(self, like: str) -> str:
        """Return an unused name like the given one: its stem with the first free number."""
        folder, name = posixpath.split(like)
        stem, suffix = posixpath.splitext(name)
        stem = re.sub(r"\d+$", "", stem)
        number = 1
        while self._is_taken(candidate := posixpath.join(folder, f"{stem}{number}{suffix}")):
            number += 1
        return candidate

    def _is_taken(self, part: str) -> bool:
        return self.find(part) is not None or part.lower() in self._missing

    @cached_property
    def _missing(self) -> set[str]:
        """Names in small letters of parts that the source tells of and does not have.

        R's openxlsx relates every worksheet to drawings that it does not write: a part of ours
        of such a name would become the user's.
        """
        told = {f"/{item.target}" for part in ["", *self.names()] for item in self.relations(part) if not item.external}
        told.update(item.get("PartName") or "" for item in xml.children(self.tree(TYPES_PART), "Override"))
        return {name.lstrip("/").lower() for name in told if self.find(name.lstrip("/")) is None}

    # -- relations

    def relations(self, part: str) -> list[Relation]:
        """Return the relations of a part (of the package itself for ``""``)."""
        name = self.find(relations_part(part))
        if name is None:
            return []
        return [_relation(part, item) for item in xml.children(self.tree(name), "Relationship")]

    def related(self, part: str, kind: str) -> list[str]:
        """Return the names of existing parts that ``part`` is related to in this way."""
        targets = (item.target for item in self.relations(part) if item.kind == kind and not item.external)
        return [name for target in targets if (name := self.find(target)) is not None]

    def promised(self, part: str, kind: str) -> str | None:
        """Return the name that ``part`` has a relation of a kind to, where no part is; a part of ours may take it."""
        for relation in self.relations(part):
            if relation.kind == kind and not relation.external and self.find(relation.target) is None:
                return relation.target
        return None

    def relate(self, part: str, type_: str, target: str, *, external: bool = False) -> str:
        """Add a relation and return its id."""
        name = self.find(relations_part(part))
        if name is None:
            empty = f'<Relationships xmlns="{xml.PACKAGE_RELATION}"/>'
            name = self.put_tree(relations_part(part), etree.fromstring(empty))
            self.default_type("rels", RELATIONS_TYPE)
        root = self.tree(name)
        taken = {item.get("Id") for item in xml.children(root)}
        number = 1
        while f"rId{number}" in taken:
            number += 1
        where = target if external else f"/{target}"
        item = etree.SubElement(root, f"{{{xml.PACKAGE_RELATION}}}Relationship")
        item.attrib.update({"Id": f"rId{number}", "Type": type_, "Target": where})
        if external:
            item.set("TargetMode", "External")
        self.touch(name)
        return f"rId{number}"

    def unrelate(self, part: str, target: str) -> None:
        """Remove a part's relations to ``target``; a relations part that becomes empty goes too, if it may be ours."""
        name = self.find(relations_part(part))
        if name is None:
            return
        root = self.tree(name)
        for item in list(xml.children(root, "Relationship")):
            relation = _relation(part, item)
            if not relation.external and relation.target.lower() == target.lower():
                xml.drop(item)
                self.touch(name)
        if next(xml.children(root), None) is None and part and not self.is_users(name):
            self.remove(name)

    # -- content types

    def content_type(self, part: str) -> str:
        """Return a part's content type; empty if the package tells none."""
        by_name, by_extension = self.derived(TYPES_PART, _types)
        found = by_name.get(f"/{part}".lower())
        if found is not None:
            return found
        return by_extension.get(posixpath.splitext(part)[1].lstrip(".").lower(), "")

    def override_type(self, part: str, type_: str) -> None:
        """Tell a part's content type."""
        if self.content_type(part) == type_:
            return
        element = etree.SubElement(self.tree(TYPES_PART), f"{{{xml.CONTENT_TYPES}}}Override")
        element.attrib.update({"PartName": f"/{part}", "ContentType": type_})
        self.touch(TYPES_PART)

    def default_type(self, extension: str, type_: str) -> None:
        """Tell the content type of an extension, unless the package tells one already."""
        types = self.tree(TYPES_PART)
        for default in xml.children(types, "Default"):
            if (default.get("Extension") or "").lower() == extension.lower():
                return
        element = etree.Element(f"{{{xml.CONTENT_TYPES}}}Default")
        element.attrib.update({"Extension": extension, "ContentType": type_})
        types.insert(0, element)
        self.touch(TYPES_PART)

    # -- writing

    @property
    def changed_parts(self) -> list[str]:
        """Names of the source's parts whose content is new."""
        return sorted((self._dirty | set(self._blobs)) - set(self._added))

    @property
    def added_parts(self) -> list[str]:
        """Names of parts the source does not have."""
        return sorted(name for name in self._added if name not in self.archive.members)

    @property
    def removed_parts(self) -> list[str]:
        """Names of the source's parts that are gone."""
        return sorted(self._removed - set(self._added))

    def write(self, target: Path) -> None:
        """Write the package: the source's members in their order, then the added ones."""
        for name in sorted(self._dirty):
            self._blobs[name] = Blob(xml.serialise(self._trees[name])).finish()
        self._dirty.clear()
        kept = [
            Member(name, info, self._blobs.get(name) if name not in self._added else None)
            for name, info in self.archive.members.items()
            if name not in self._removed
        ]
        added = [Member(name, None, self._blobs[name]) for name in self._added]
        write_archive(self.archive, target, [*kept, *added])

    def close(self) -> None:
        """Let go of memory and temporary files."""
        for blob in self._blobs.values():
            blob.close()


def _types(package: Package, part: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the content types by part and by extension, in small letters; the first of a name counts."""
    by_name: dict[str, str] = {}
    by_extension: dict[str, str] = {}
    for kind, name, found in (("Override", "PartName", by_name), ("Default", "Extension", by_extension)):
        for item in xml.children(package.tree(part), kind):
            found.setdefault((item.get(name) or "").lower(), item.get("ContentType") or "")
    return by_name, by_extension


def _relation(part: str, item: etree._Element) -> Relation:
    target = item.get("Target") or ""
    external = item.get("TargetMode") == "External"
    if not external:
        target = resolve(part, target)
    return Relation(item.get("Id") or "", item.get("Type") or "", target, external)


def resolve(part: str, target: str) -> str:
    """Return the part a relation's target names, seen from the part that has the relation."""
    target = target.replace("\\", "/")
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), target)).lstrip("/")

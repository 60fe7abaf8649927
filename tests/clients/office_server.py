"""A headless LibreOffice answering requests, one JSON line each; run by the Python that has ``uno``.

Usage: ``python3 office_server.py PROFILE``. It knows nothing of prefxl.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import uno
import unohelper
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException
from com.sun.star.task import XInteractionHandler
from com.sun.star.ucb import XCommandEnvironment, XProgressHandler


def prop(name, value):
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


class Approve(unohelper.Base, XCommandEnvironment, XInteractionHandler, XProgressHandler):
    """Says yes to whatever installing an extension asks."""

    def getInteractionHandler(self):
        return self

    def getProgressHandler(self):
        return self

    def handle(self, request):
        for choice in request.getContinuations():
            yes = choice.queryInterface(uno.getTypeByName("com.sun.star.task.XInteractionApprove"))
            if yes:
                yes.select()
                return

    def push(self, status):
        pass

    update = push

    def pop(self):
        pass


class Office:
    """One running office with its own profile, and the documents open in it."""

    def __init__(self, profile):
        self.pipe = f"prefxl{os.getpid()}_{time.monotonic_ns() % 10**9}"
        self.process = subprocess.Popen(
            [
                "soffice",
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "-env:UserInstallation=file://" + profile,
                f"--accept=pipe,name={self.pipe};urp;StarOffice.ComponentContext",
            ],
            env=self.environment(),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.documents = {}
        self.context = self.connect()

    def environment(self):
        """The office finds its Python by the PATH, and a virtual environment's breaks its add-ins."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        return {**kept, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}

    def connect(self):
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + 60
        while True:
            try:
                return resolver.resolve(f"uno:pipe,name={self.pipe};urp;StarOffice.ComponentContext")
            except NoConnectException:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def service(self, name):
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def install(self, path):
        manager = self.context.getValueByName("/singletons/com.sun.star.deployment.ExtensionManager")
        manager.addExtension(uno.systemPathToFileUrl(path), (), "user", None, Approve())

    def open(self, path):
        desktop = self.service("com.sun.star.frame.Desktop")
        url = path if path.startswith("private:") else uno.systemPathToFileUrl(path)
        document = desktop.loadComponentFromURL(url, "_blank", 0, (prop("Hidden", True),))
        if document is None:
            raise OSError("LibreOffice did not open " + path)
        self.documents[path] = document
        # cached values are believed on load
        document.calculateAll()

    def close(self, path):
        self.documents.pop(path).close(True)

    def cell(self, path, sheet, name):
        return self.documents[path].Sheets.getByName(sheet).getCellRangeByName(name)

    def read(self, path, sheet, names):
        return [self.value(self.cell(path, sheet, name)) for name in names]

    def value(self, cell):
        if cell.getError():
            return cell.String
        kind = cell.Type.value
        if kind == "FORMULA":
            kind = {1: "VALUE", 2: "TEXT"}.get(cell.FormulaResultType2, "TEXT")
        return {"EMPTY": None, "VALUE": cell.Value}.get(kind, cell.String)

    def write(self, path, sheet, values):
        for name, value in values.items():
            cell = self.cell(path, sheet, name)
            if isinstance(value, str) and value.startswith("="):
                cell.Formula = value
            elif isinstance(value, str):
                cell.String = value
            elif value is None:
                cell.Formula = ""
            else:
                cell.Value = value

    def write_array(self, path, sheet, cells, formula):
        self.cell(path, sheet, cells).setArrayFormula(formula)

    def clear(self, path, sheet, cells):
        self.cell(path, sheet, cells).clearContents(1 | 2 | 4 | 16)

    def recalculate(self, path):
        self.documents[path].calculateAll()

    def timed(self, path):
        start = time.monotonic()
        self.documents[path].calculateAll()
        return time.monotonic() - start

    def save(self, path, target, kind):
        options = (prop("FilterName", kind), prop("Overwrite", True))
        self.documents[path].storeToURL(uno.systemPathToFileUrl(target), options)

    def function(self, name):
        """What the function wizard shows: of a function and its arguments."""
        provider = self.service("com.sun.star.sheet.FunctionDescriptions")
        found = {item.Name: item.Value for item in provider.getByName(name)}
        arguments = [[argument.Name, argument.Description, argument.IsOptional] for argument in found["Arguments"]]
        return [found["Description"], arguments]

    def stop(self):
        with contextlib.suppress(DisposedException):
            self.service("com.sun.star.frame.Desktop").terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


def main():
    office = Office(sys.argv[1])
    try:
        for line in sys.stdin:
            name, arguments = json.loads(line)
            try:
                answer = {"answer": getattr(office, name)(*arguments)}
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)
    finally:
        office.stop()


main()

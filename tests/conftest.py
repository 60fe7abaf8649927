"""One rule for the whole suite: where CI promises every client, a skipped test is a failed one."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Examples run on shared machines, where a deadline would only measure the neighbours. CI draws the same ones every
# time, so that what it says of a commit hangs on the commit alone; new ones are drawn at every run by hand.
settings.register_profile("suite", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("suite")

#: A skip whose reason begins so is meant even in CI: what it needs is not part of the project.
OPTIONAL = "optional:"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip into a failure under ``PREFXL_NO_SKIPS=1``."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("PREFXL_NO_SKIPS") == "1" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if OPTIONAL not in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped where it should have run: {reason}"

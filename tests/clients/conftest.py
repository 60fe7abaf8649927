"""The office's server runs under another Python, the one that has ``uno``."""

collect_ignore = ["office_server.py"]

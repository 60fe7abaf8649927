"""Writing workbooks: the plan of what goes where, and the thin writers of it."""

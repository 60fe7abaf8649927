"""The report sheets, one module each; every ``draw`` puts one sheet on the canvas."""

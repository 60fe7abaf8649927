"""Inside a spreadsheet: the live functions, the live forms and what installs them.

``answers`` reads cells and answers tables and stands on ``rules`` alone, so that
Excel (``udf``) and LibreOffice (the add-in) give the same numbers; ``formulas``
says the rules once more, as spreadsheet formulas.
"""

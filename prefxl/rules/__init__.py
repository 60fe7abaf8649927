"""The game's arithmetic: plain Python, no third-party import, no input or output.

Everything here runs on anything that adds, subtracts, multiplies, floor-divides
and compares: a Python ``int`` for one sheet, a numpy column of a million games
for a batch. So the two cannot disagree, and the live function needs no numpy.
"""

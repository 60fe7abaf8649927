"""The pictures of the README are those the package draws."""

from __future__ import annotations

import struct

import pytest

from tests.drawing.pictures import FOLDER, draw


@pytest.mark.parametrize("name", ["pulka-3.png", "pulka-4.png"])
def test_a_picture_is_small_and_of_its_drawing(name):
    shipped, drawn = (FOLDER / name).read_bytes(), draw(name)
    assert len(shipped) <= 150_000
    # another version of the renderer may set a dot otherwise, but not a line of text more or less
    assert struct.unpack(">II", shipped[16:24]) == struct.unpack(">II", drawn[16:24])
    assert abs(len(shipped) - len(drawn)) < 0.05 * len(shipped)

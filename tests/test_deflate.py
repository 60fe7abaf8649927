"""Packing and unpacking: whatever the pieces, what comes out is what went in."""

import subprocess
import sys
import zlib
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefxl import deflate

CONTENT = st.one_of(st.binary(max_size=3000), st.text('<c r="1">', max_size=3000).map(str.encode))


def pieces(data, size):
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(CONTENT, st.integers(1, 500), st.integers(1, 500), st.integers(0, 9))
def test_what_zlib_packed_comes_out_in_pieces_no_larger_than_asked_for(content, size, most, level):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    found = list(deflate.unpacked(pieces(packer.compress(content) + packer.flush(), size), most))
    assert b"".join(found) == content
    assert max(map(len, found), default=0) <= most


@given(CONTENT, st.integers(1, 500))
def test_what_is_packed_here_any_zlib_unpacks(content, size):
    packer = deflate.Packer()
    packed = b"".join(packer.compress(piece) for piece in pieces(content, size)) + packer.flush()
    assert zlib.decompress(packed, -15) == deflate.unpack(packed) == content


@given(st.lists(st.integers(1, 400_000), max_size=4))
@settings(max_examples=20)
def test_the_same_bytes_in_other_pieces_are_packed_the_same(sizes):
    content = b"".join(b'<c r="A%d"><v>%d</v></c>' % (row, row * 7 % 1000) for row in range(40_000))

    def packed(pieces):
        packer = deflate.Packer()
        return b"".join(map(packer.compress, pieces)) + packer.flush()

    starts = [0, *accumulate(sizes), len(content)]
    assert packed(content[start:stop] for start, stop in pairwise(starts)) == packed([content])


@pytest.mark.parametrize("spoil", [lambda packed: packed[:-1], lambda packed: b"", lambda packed: b"\xff" + packed])
def test_what_is_cut_short_or_damaged_is_an_error_of_zlib(spoil):
    packer = deflate.Packer()
    packed = packer.compress(b"pulya" * 1000) + packer.flush()
    with pytest.raises(zlib.error):
        deflate.unpack(spoil(packed))


def test_without_isa_l_zlib_does_the_same():
    code = (
        "import sys; sys.modules['isal'] = None\n"
        "from prefxl import deflate\n"
        "packer = deflate.Packer()\n"
        "packed = packer.compress(b'pulya' * 1000) + packer.flush()\n"
        "assert deflate.engine.__name__ == 'zlib' and deflate.unpack(packed) == b'pulya' * 1000\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""Small pictures, as a note would show them: bar charts, as PNG."""

from __future__ import annotations

import struct
import zlib
from random import Random

WIDTH, HEIGHT = 240, 120
BACKGROUND, BAR = 0, 1
COLOURS = bytes((250, 250, 250)), bytes((63, 81, 181))


def bar_chart(random: Random) -> bytes:
    """A PNG of bars that grow and shrink."""
    heights = [random.randint(10, HEIGHT - 10) for _ in range(12)]
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)  # no filter
        for x in range(WIDTH):
            is_bar = x % 20 > 4 and y > HEIGHT - heights[x // 20]
            rows += COLOURS[BAR if is_bar else BACKGROUND]
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

"""PNG files of drawings. Rows are packed without Pillow's filters: faster, and smaller for drawings."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureCanvas(FigureCanvasAgg):
    """The canvas of `Figure.savefig(backend="module://ropewalk.plot.png")`."""

    def print_png(self, filename_or_obj: BytesIO, **_: Any) -> None:
        """Write the figure to an open file."""
        self.draw()  # type: ignore[no-untyped-call]
        pixels = np.asarray(self.buffer_rgba())  # type: ignore[no-untyped-call]
        height, width, _ = pixels.shape
        rows = np.zeros((height, 1 + 4 * width), np.uint8)  # each begins with its filter: none
        rows[:, 1:] = pixels.reshape(height, -1)
        per_meter = int(self.figure.dpi / 0.0254 + 0.5)
        filename_or_obj.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)),
            (b"pHYs", struct.pack(">IIB", per_meter, per_meter, 1)),
            (b"IDAT", zlib.compress(rows.tobytes(), 3)),
            (b"IEND", b""),
        ):
            check = zlib.crc32(kind + content)
            filename_or_obj.write(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check))

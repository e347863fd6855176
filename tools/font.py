"""
Writes a font as the JSON that lib/page-files/fonts/embedded-font.ts puts into PDFs: the glyphs of Windows-1252, or the characters given.

    python3 tools/font.py FONT [wght=700] [text=ABC] > NAME.json

needs fonttools and brotli. FONT is any that fonttools opens; of a variable one, `wght` chooses the weight.
"""

import base64
import io
import json
import sys
import zlib

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

path, *settings = sys.argv[1:]
given = dict(setting.split("=", 1) for setting in settings)
font = TTFont(path, recalcTimestamp=False)
if "fvar" in font:
    font = instantiateVariableFont(font, {"wght": float(given["wght"])}, updateFontNames=True)
every = bytes(range(32, 256)).decode("cp1252", errors="ignore")
options = Options(hinting=False, layout_features=[], name_IDs=[0, 6], notdef_outline=True)
options.drop_tables += ["OS/2", "STAT", "gasp", "GDEF", "GPOS", "GSUB"]
cap_height = font["OS/2"].sCapHeight
subsetter = Subsetter(options)
subsetter.populate(text=given.get("text", every))
subsetter.subset(font)
font.flavor = None
written = io.BytesIO()
font.save(written)

units, head = font["head"].unitsPerEm, font["head"]
thousandths = lambda length: round(1000 * length / units)
cmap, metrics = font.getBestCmap(), font["hmtx"].metrics
# Codes that Windows-1252 leaves free, and characters that were left out, have no width.
names = [cmap.get(ord(bytes([code]).decode("cp1252", errors="replace"))) for code in range(32, 256)]
about = {
    "name": font["name"].getDebugName(6),
    "box": [thousandths(side) for side in (head.xMin, head.yMin, head.xMax, head.yMax)],
    "ascent": thousandths(font["hhea"].ascent),
    "descent": thousandths(font["hhea"].descent),
    "capHeight": thousandths(cap_height),
    "widths": [thousandths(metrics[name][0]) if name else 0 for name in names],
    "bytes": len(written.getvalue()),
    "deflated": base64.b64encode(zlib.compress(written.getvalue(), 9)).decode(),
}
json.dump(about, sys.stdout, indent=2)
print()

"""
Writes a font as the JSON that lib/page-files/fonts/form-font.ts cuts to the letters of a filled form: Latin, Greek and Cyrillic.

    python3 tools/form_font.py FONT NAME > lib/page-files/fonts/form-sans.json

needs fonttools. NAME replaces the font's own, as licences with reserved names ask of a changed font.
"""

import base64
import io
import json
import sys
import zlib

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

path, name = sys.argv[1:]
font = TTFont(path, recalcTimestamp=False)
wanted = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)]
wanted += [*range(0x2010, 0x2028), *range(0x2030, 0x2040), *range(0x20A0, 0x20C0), *range(0x2100, 0x2123)]
options = Options(hinting=False, layout_features=[], name_IDs=[], notdef_outline=True)
options.drop_tables += ["OS/2", "STAT", "gasp", "GDEF", "GPOS", "GSUB", "name", "post"]
# Older fonts don't state it.
cap_height = font["glyf"]["H"].yMax
characters = set(font.getBestCmap()) & set(wanted)
subsetter = Subsetter(options)
subsetter.populate(unicodes=characters)
subsetter.subset(font)
written = io.BytesIO()
font.save(written)

units, head = font["head"].unitsPerEm, font["head"]
thousandths = lambda length: round(1000 * length / units)
cmap, metrics, order = font.getBestCmap(), font["hmtx"].metrics, font.getGlyphOrder()
characters = sorted(cmap)
about = {
    "name": name,
    "box": [thousandths(side) for side in (head.xMin, head.yMin, head.xMax, head.yMax)],
    "ascent": thousandths(font["hhea"].ascent),
    "descent": thousandths(font["hhea"].descent),
    "capHeight": thousandths(cap_height),
    "characters": "".join(map(chr, characters)),
    "glyphs": " ".join(str(font.getGlyphID(cmap[character])) for character in characters),
    "widths": " ".join(str(thousandths(metrics[glyph][0])) for glyph in order),
    "deflated": base64.b64encode(zlib.compress(written.getvalue(), 9)).decode(),
}
json.dump(about, sys.stdout, indent=2, ensure_ascii=False)
print()

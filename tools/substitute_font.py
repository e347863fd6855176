"""
Writes a font as the JSON that lib/page-files/fonts/substitute-fonts.ts puts into PDFs in place of a font they only name.

    python3 tools/substitute_font.py FONT NAME > page-files/fonts/substitutes/NAME.json
    python3 tools/substitute_font.py --names FONT > lib/page-files/fonts/substitutes/glyph-names.json
    python3 tools/substitute_font.py --blank > lib/page-files/fonts/substitutes/blank.json

needs fonttools. FONT is a TrueType file, or a bare CFF file named .pfb as PDFium's are.
"""

import base64
import io
import json
import sys
import zlib

from fontTools import agl
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.basePen import NullPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

wanted = [*range(0x20, 0x7F), *range(0xA0, 0x250), 0x2C6, 0x2C7, *range(0x2D8, 0x2DE), *range(0x370, 0x500)]
wanted += [*range(0x1EA0, 0x1EFA), *range(0x2010, 0x2028), *range(0x2030, 0x2040), 0x2044, *range(0x20A0, 0x20C0)]
wanted += [0x2105, 0x2113, 0x2116, 0x2122, 0x2126, 0x212E, *range(0x2190, 0x2196), *range(0x2200, 0x2266), *range(0x25A0, 0x25D0)]
wanted += [*range(0xFB00, 0xFB03)]


# What most documents need: the characters of Windows-1252, and those of StandardEncoding beyond it.
latinPoints = [ord(bytes([code]).decode("cp1252", errors="replace")) for code in range(32, 256)]
latinPoints += [0x131, 0x141, 0x142, 0x2044, 0x2C7, 0x2D8, 0x2D9, 0x2DA, 0x2DB, 0x2DD, 0xFB01, 0xFB02]


def ofTrueType(path):
    """The glyphs by Adobe's names, with their widths, in thousandths of the size."""
    font = TTFont(path)
    scale = 1000 / font["head"].unitsPerEm
    cmap, glyphs = font.getBestCmap(), font.getGlyphSet()
    named = {nameOf(point): glyphs[cmap[point]] for point in sorted(set(cmap) & set(wanted))}
    return named, glyphs, scale, font["post"].italicAngle


def ofCompact(path):
    """The glyphs of a bare CFF file."""
    fonts = CFFFontSet()
    fonts.decompile(open(path, "rb"), TTFont())
    font = fonts[0]
    glyphs = {name: Outline(font.CharStrings[name]) for name in font.CharStrings.keys()}
    named = {name: glyphs[name] for name in sorted(glyphs) if name != ".notdef"}
    return named, glyphs, 1, 0


class Outline:
    """A glyph of a bare CFF file. Its width is known once it was drawn."""

    def __init__(self, charString):
        self.charString = charString
        self.draw(NullPen())
        self.width = charString.width

    def draw(self, pen):
        self.charString.draw(pen)


def nameOf(point):
    return {0xFB01: "fi", 0xFB02: "fl"}.get(point) or agl.UV2AGL.get(point, f"uni{point:04X}")


latinNames = {nameOf(point) for point in latinPoints}


def points(path):
    """The characters of the glyphs, in their order."""
    return "".join(chr(point) for point in sorted(set(TTFont(path).getBestCmap()) & set(wanted)))


def charStringOf(glyph, scale, glyphs):
    width = glyph.width
    outline = T2CharStringPen(round(width * scale), glyphs)
    glyph.draw(TransformPen(outline, (scale, 0, 0, scale, 0, 0)))
    return outline.getCharString()


def deflated(content):
    return base64.b64encode(zlib.compress(content, 9)).decode()


def programOf(name, named, glyphs, scale):
    """The bare CFF file of glyphs, and their widths."""
    charStrings = {".notdef": T2CharStringPen(0, None).getCharString()}
    charStrings |= {glyph: charStringOf(outline, scale, glyphs) for glyph, outline in named.items()}
    widths = {glyph: round(outline.width * scale) for glyph, outline in named.items()}
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", *named])
    builder.setupHorizontalMetrics({".notdef": (0, 0), **{glyph: (width, 0) for glyph, width in widths.items()}})
    builder.setupCFF(name, {}, charStrings, {})
    return builder.font["CFF "].compile(builder.font), widths


def write(path, name):
    named, glyphs, scale, italic = (ofCompact if path.endswith(".pfb") else ofTrueType)(path)
    program, widths = programOf(name, named, glyphs, scale)
    latin = {glyph: outline for glyph, outline in named.items() if glyph in latinNames}
    pen = BoundsPen(glyphs)
    for outline in named.values():
        outline.draw(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
    json.dump(
        {
            "name": name,
            "box": [round(side) for side in pen.bounds],
            "italicAngle": italic,
            "glyphs": " ".join(named),
            "points": "" if path.endswith(".pfb") else points(path),
            "widths": " ".join(str(width) for width in widths.values()),
            "deflated": deflated(program),
            "latinGlyphs": " ".join(latin),
            "latin": "" if path.endswith(".pfb") else deflated(programOf(f"{name}Latin", latin, glyphs, scale)[0]),
        },
        sys.stdout,
        indent=2,
    )
    print()


def writeNames(path):
    """Other names of the glyphs in Adobe's long list."""
    named = ofTrueType(path)[0]
    other = {glyph: nameOf(points[0]) for glyph, points in agl.LEGACY_AGL2UV.items() if len(points) == 1}
    pairs = sorted((glyph, ours) for glyph, ours in other.items() if ours in named and glyph not in named)
    json.dump(dict(pairs), sys.stdout, indent=0)
    print()


def writeBlank():
    """A TrueType file whose one glyph is empty."""
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCharacterMap({})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics({".notdef": (0, 0)})
    builder.setupHorizontalHeader()
    builder.setupPost(keepGlyphNames=False)
    written = io.BytesIO()
    builder.font.save(written)
    json.dump({"bytes": len(written.getvalue()), "deflated": deflated(written.getvalue())}, sys.stdout, indent=2)
    print()


if sys.argv[1] == "--names":
    writeNames(sys.argv[2])
elif sys.argv[1] == "--blank":
    writeBlank()
else:
    write(*sys.argv[1:])

import sharp from "sharp";

/** PDFs for tests, written by hand: what a library would refuse to write is what they are about. */

/** An indirect object: its text, or a stream of a dictionary's entries and bytes. */
export type Body = string | { dict: string; data: string | Uint8Array };

/** A PDF of `objects` by number, with the catalog as number 1 and a classic cross-reference table. */
export function handWritten(objects: Record<number, Body>, trailer = "/Root 1 0 R"): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = parts[0]!.length;
  const add = (part: Buffer<ArrayBuffer>) => {
    parts.push(part);
    length += part.length;
  };
  const places: [number, number][] = [];
  for (const [number, body] of Object.entries(objects)) {
    places.push([Number(number), length]);
    add(Buffer.concat([Buffer.from(`${number} 0 obj\n`), bodyBytes(body), Buffer.from("\nendobj\n")]));
  }
  const at = length;
  const lines = places.map(([number, place]) => `${number} 1\n${String(place).padStart(10, "0")} 00000 n \n`);
  const size = Math.max(...places.map(([number]) => number)) + 1;
  add(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${lines.join("")}`));
  add(Buffer.from(`trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** The PDF with newer versions of some objects, as editors append them. */
export function updated(pdf: Buffer, objects: Record<number, Body>): Buffer {
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString("latin1"))![1];
  const parts: Buffer[] = [pdf];
  let length = pdf.length;
  const lines: string[] = [];
  for (const [number, body] of Object.entries(objects)) {
    lines.push(`${number} 1\n${String(length).padStart(10, "0")} 00000 n \n`);
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), bodyBytes(body), Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const trailer = `trailer\n<< /Size 400 /Root 1 0 R /Prev ${before} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n${lines.join("")}${trailer}`)]);
}

function bodyBytes(body: Body) {
  if (typeof body === "string") return Buffer.from(body, "latin1");
  const data = typeof body.data === "string" ? Buffer.from(body.data, "latin1") : body.data;
  const dict = Buffer.from(`<< ${body.dict} /Length ${data.length} >>\nstream\n`, "latin1");
  return Buffer.concat([dict, data, Buffer.from("\nendstream")]);
}

/** Where `everyKind` takes more entries: at the beginning of its dictionaries, whose own entries count. */
export const places = `
  catalog pages page pageGroup contents resources properties extGState softMask maskForm iccProfile tintFunction
  stitching pieceFunction tiling shadingPattern shading form image imageMask decodeParms simpleFont encoding
  toUnicode type3 glyphs glyph type0 cidFont systemInfo fontDescriptor fontProgram layers layerConfig layer
  layerUsage membership link action square borderStyle widget appearances states appearance
`
  .trim()
  .split(/\s+/);

const page = `q /Gs gs 0.9 0.5 0.1 rg 20 20 80 80 re f Q
BT /Helv 18 Tf 20 360 Td (Visible words) Tj ET
BT /Cid 40 Tf 20 300 Td <0001> Tj ET BT /Glyphs 30 Tf 100 300 Td (aba) Tj ET
q 1 0 0 1 200 20 cm /Fm Do Q q 60 0 0 60 300 20 cm /Im Do Q
/Icc cs 0.2 0.4 0.9 sc 20 120 40 40 re f /Sep cs 0.7 scn 70 120 40 40 re f /Ix cs 1 sc 120 120 40 40 re f
/Pattern cs /Tiles scn 20 180 80 60 re f /Pattern cs /Fade scn 110 180 80 60 re f
q 200 180 80 60 re W n /Sh sh Q
/OC /Shown BDC 0 0 1 rg 300 180 40 40 re f EMC
/OC /Hidden BDC /Span /Plain BDC 0 0 1 rg 350 180 20 40 re f EMC 1 0 0 rg 370 180 20 40 re f EMC
/OC /Member BDC 1 0 0 rg 350 240 40 40 re f EMC
/Span /Plain BDC 0 1 0 rg 300 240 40 40 re f EMC`;

let profile: Buffer | undefined;

/** A colour profile as scanners embed it. */
async function iccProfile() {
  const grey = sharp({ create: { width: 1, height: 1, channels: 3, background: "grey" } });
  return (profile ??= (await sharp(await grey.withIccProfile("srgb").png().toBuffer()).metadata()).icc!);
}

/**
 * A PDF of two pages that draws with every kind of object there is: fonts, forms, pictures, patterns, layers, annotations.
 * `more` are entries added to the dictionaries of a place; `others` are objects from number 200 on.
 */
export async function everyKind(more: Record<string, string> = {}, others: Record<number, Body> = {}) {
  const at = (place: string) => more[place] ?? "";
  const icc = await iccProfile();
  return handWritten({
    1: `<< ${at("catalog")} /Type /Catalog /Pages 2 0 R /OCProperties 40 0 R /AcroForm << /Fields [52 0 R] >> >>`,
    2: `<< ${at("pages")} /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 400 400] /Resources 7 0 R >>`,
    3: `<< ${at("page")} /Type /Page /Parent 2 0 R /Contents [5 0 R 6 0 R] /Annots [50 0 R 51 0 R 52 0 R]
        /Group << ${at("pageGroup")} /S /Transparency /CS /DeviceRGB >> >>`,
    4: "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Rotate 90 /CropBox [10 10 390 350] /UserUnit 1 >>",
    5: { dict: at("contents"), data: page },
    6: { dict: "", data: "0 0.5 0 rg 20 260 360 20 re f" },
    ...resources(at, icc),
    ...fonts(at),
    ...layers(at),
    ...annotations(at),
    ...others,
  });
}

type At = (place: string) => string;

const resources = (at: At, icc: Uint8Array): Record<number, Body> => ({
  7: `<< ${at("resources")} /Font << /Helv 10 0 R /Glyphs 12 0 R /Cid 14 0 R >> /XObject << /Fm 20 0 R /Im 21 0 R >>
      /ExtGState << /Gs 24 0 R >> /Shading << /Sh 30 0 R >> /Pattern << /Tiles 28 0 R /Fade 29 0 R >>
      /ColorSpace << /Icc [/ICCBased 25 0 R] /Sep [/Separation /Spot /DeviceRGB 26 0 R] /Ix [/Indexed /DeviceRGB 1 <ff000000cc00>] >>
      /Properties << /Shown 41 0 R /Hidden 42 0 R /Member 43 0 R /Plain << ${at("properties")} >> >>
      /ProcSet [/PDF /Text] >>`,
  20: {
    dict: `${at("form")} /Type /XObject /Subtype /Form /BBox [0 0 80 80] /Matrix [1 0 0 1 0 0] /Resources << >>
           /Group << /S /Transparency /I true >>`,
    data: "0.2 0.6 0.6 rg 0 0 70 70 re f",
  },
  21: {
    dict: `${at("image")} /Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /ASCIIHexDecode
           /DecodeParms << ${at("decodeParms")} >> /SMask 22 0 R`,
    data: "ff0000 00ff00 0000ff 222222 >",
  },
  22: {
    dict: `${at("imageMask")} /Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray`,
    data: Uint8Array.of(255, 128, 200, 255),
  },
  23: {
    dict: `${at("maskForm")} /Type /XObject /Subtype /Form /BBox [0 0 400 400] /Group << /S /Transparency /CS /DeviceGray >>`,
    data: "0.5 g 0 0 60 400 re f",
  },
  24: `<< ${at("extGState")} /Type /ExtGState /CA 0.9 /ca 0.9 /BM [/Multiply /Normal]
       /SMask << ${at("softMask")} /S /Luminosity /G 23 0 R /BC [1] >> >>`,
  25: { dict: `${at("iccProfile")} /N 3 /Alternate /DeviceRGB`, data: icc },
  26: `<< ${at("tintFunction")} /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [0.1 0.4 0.2] /N 1 >>`,
  27: `<< ${at("stitching")} /FunctionType 3 /Domain [0 1] /Bounds [0.5] /Encode [0 1 0 1] /Functions [26 0 R
       << ${at("pieceFunction")} /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>] >>`,
  28: {
    dict: `${at("tiling")} /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 8 8] /XStep 10 /YStep 10 /Resources << >>`,
    data: "0.5 0 0.5 rg 0 0 6 6 re f",
  },
  29: `<< ${at("shadingPattern")} /Type /Pattern /PatternType 2 /Shading 30 0 R >>`,
  30: `<< ${at("shading")} /ShadingType 2 /ColorSpace /DeviceRGB /Coords [100 0 300 0] /Extend [true true] /Function 27 0 R >>`,
});

const fonts = (at: At): Record<number, Body> => ({
  10: `<< ${at("simpleFont")} /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 11 0 R
       /Encoding << ${at("encoding")} /BaseEncoding /WinAnsiEncoding /Differences [65 /B] >> >>`,
  11: { dict: at("toUnicode"), data: "begincmap 1 begincodespacerange <00> <ff> endcodespacerange endcmap" },
  12: `<< ${at("type3")} /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 /LastChar 98
       /Widths [1000 500] /Encoding << /Differences [97 /square /bar] >> /Resources << >>
       /CharProcs << ${at("glyphs")} /square 13 0 R /bar 19 0 R >> >>`,
  13: { dict: at("glyph"), data: "1000 0 0 0 900 900 d1 0 0 800 800 re f" },
  14: `<< ${at("type0")} /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Square /Encoding /Identity-H /DescendantFonts [15 0 R]
       /ToUnicode 18 0 R >>`,
  15: `<< ${at("cidFont")} /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Square /CIDToGIDMap /Identity /DW 1000 /W [0 [500 1000]]
       /CIDSystemInfo << ${at("systemInfo")} /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
       /FontDescriptor 16 0 R >>`,
  16: `<< ${at("fontDescriptor")} /Type /FontDescriptor /FontName /ABCDEF+Square /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent 0
       /CapHeight 900 /StemV 80 /FontFile2 17 0 R >>`,
  17: { dict: at("fontProgram"), data: squareFont() },
  18: {
    dict: "",
    data: `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange
           1 beginbfchar <0001> <0053> endbfchar endcmap`,
  },
  19: { dict: "", data: "500 0 0 0 400 900 d1 0 0 300 900 re f" },
});

const layers = (at: At): Record<number, Body> => ({
  40: `<< ${at("layers")} /OCGs [41 0 R 42 0 R] /D << ${at("layerConfig")} /BaseState /ON /OFF [42 0 R] >> >>`,
  41: `<< ${at("layer")} /Type /OCG /Name (Shown) /Usage << ${at("layerUsage")} /View << /ViewState /ON >> >> >>`,
  42: "<< /Type /OCG /Name (Hidden) >>",
  43: `<< ${at("membership")} /Type /OCMD /OCGs [41 0 R 42 0 R] /P /AllOn >>`,
});

const annotations = (at: At): Record<number, Body> => ({
  50: `<< ${at("link")} /Type /Annot /Subtype /Link /Rect [20 355 140 380] /Border [0 0 0]
       /A << ${at("action")} /S /URI /URI (https://kept.example/page) >> >>`,
  51: `<< ${at("square")} /Type /Annot /Subtype /Square /Rect [200 290 260 350] /C [0 0 1] /IC [0.8 0.9 1] /F 4
       /BS << ${at("borderStyle")} /W 3 >> /AP << ${at("appearances")} /N 53 0 R >> >>`,
  52: `<< ${at("widget")} /Type /Annot /Subtype /Widget /FT /Btn /T (MARK-OF-FIELD) /Rect [300 300 340 340] /F 4 /AS /On
       /AP << /N << ${at("states")} /On 54 0 R /Off 55 0 R >> >> >>`,
  53: {
    dict: `${at("appearance")} /Subtype /Form /BBox [0 0 60 60] /Resources << >>`,
    data: "0.8 0.9 1 rg 0 0 1 RG 3 w 2 2 56 56 re B",
  },
  54: { dict: "/Subtype /Form /BBox [0 0 40 40]", data: "0 0 0 rg 5 5 30 30 re f" },
  55: { dict: "/Subtype /Form /BBox [0 0 40 40]", data: "0 0 0 RG 5 5 30 30 re S % MARK-OF-OTHER-STATE" },
});

/** A TrueType font whose only glyph is a square. */
function squareFont(): Buffer {
  const words = (...values: number[]) => Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]));
  const glyph = Buffer.concat([
    words(1, 100, 100, 900, 900, 3, 0),
    Buffer.from([1, 1, 1, 1]),
    words(100, 0, 800, 0, 100, 800, 0, -800),
  ]);
  const tables: Record<string, Buffer> = {
    cmap: words(0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, 83, 0xffff, 0, 83, 0xffff, 1 - 83, 1, 0, 0),
    glyf: glyph,
    head: words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 100, 100, 900, 900, 0, 8, 2, 0, 0),
    hhea: words(1, 0, 900, 0, 0, 1000, 100, 0, 900, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    hmtx: words(500, 0, 1000, 100),
    loca: words(0, 0, glyph.length / 2),
    maxp: words(1, 0, 2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
  };
  const names = Object.keys(tables);
  let offset = 12 + 16 * names.length;
  const directory = [words(1, 0, names.length, 64, 2, 32)];
  for (const name of names) {
    const { length } = tables[name]!;
    directory.push(Buffer.from(name), words(0, 0, offset >> 16, offset, length >> 16, length));
    offset += length;
  }
  return Buffer.concat([...directory, ...Object.values(tables)]);
}

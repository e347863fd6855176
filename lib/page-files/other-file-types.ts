/* oxlint-disable no-control-regex -- kinds are detected by bytes */
/** Kinds of files that people add in place of pages, by their first bytes as Latin-1, with the way to a page file. */

const asPdf = "save it as a PDF";
const asPicture = "save it as a JPG or PNG";
const printed = "print it to a PDF and add that";
const unpack = "add the files in it";

/** Predicates to the file's name. The first that fits holds. */
const kinds: [RegExp, string][] = [
  [/^....ftyp(avi[fs]|m[is]f1.{4,40}avi[fs])/s, `is an AVIF picture: ${asPicture}`],
  [/^....ftyp(hei|hev|mif1|msf1)/s, `is an HEIC photo: ${asPicture}, or set the camera to the most compatible format`],
  [/^....ftypcrx /s, `is a raw photo of a camera: ${asPicture}`],
  [/^....ftyp/s, "is a film or sound: add a picture or PDF"],
  [/^GIF8[79]a/, `is a GIF picture: ${asPicture}`],
  [/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/, `is a TIFF picture: ${asPdf}`],
  [/^BM....\0\0\0\0/s, `is a BMP picture: ${asPicture}`],
  [/^(\0\0\0\x0cjP  |\xff\x4f\xff\x51)/, `is a JPEG 2000 picture: ${asPicture}`],
  [/^(\0\0\0\x0cJXL |\xff\x0a)/, `is a JPEG XL picture: ${asPicture}`],
  [/^8BPS/, `is a Photoshop picture: ${asPicture}`],
  [/^AT&TFORM/, `is a DjVu file: ${asPdf}`],
  [/^(%!|\xc5\xd0\xd3\xc6)/, `is a PostScript file: ${asPdf}`],
  [/^\xd0\xcf\x11\xe0/, `is a file of an older Word, Excel, PowerPoint or Outlook: ${asPdf}`],
  [/^\{\\rtf/, `is an RTF document: ${asPdf}`],
  [/^(7z\xbc\xaf|Rar!|\x1f\x8b)/, `is an archive: ${unpack}`],
  // PKCS #7 signed data around a file, as .p7m.
  [/^0[\x80-\x84].{0,4}\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02/s, "is a signed file (P7M): add the PDF in it"],
  [/^\s*(<\?[^>]*>\s*)*<(!DOCTYPE )?svg[\s>]/i, `is an SVG drawing: ${asPdf}`],
  [/^\s*(<\?[^>]*>\s*)*<(!doctype html|html|head|body)[\s>]/i, `is a web page: ${printed}`],
  [/^\s*(<\?[^>]*>\s*)*<xdp:xdp/i, `is an XFA form: ${printed}`],
  [/^\s*<\?xml/, "is an XML file: add a PDF of it"],
  [/^From: <Saved by|^[\w-]+:(?!.*%PDF-).*\ncontent-type: multipart\/related/is, `is a saved web page: ${printed}`],
  [
    /^(received|return-path|from|delivered-to|mime-version|date|subject|message-id|x-[\w-]+):(?!.*%PDF-)(?=.*\n(from|to|subject|date|received|mime-version):)/is,
    "is an email: add the files attached to it",
  ],
  [/^From \S+@\S+ (?!.*%PDF-)/s, "is an email: add the files attached to it"],
  [/^\x78\x9f\x3e\x22/, "is an attachment of Outlook (winmail.dat): ask for the PDF in it"],
  [/^bplist00.*WebMainResource/s, `is a saved web page: ${printed}`],
  [
    /^(L\0\0\0\x01\x14\x02\0|\[InternetShortcut\]|\{("url":|"[^{}]*"doc_id":))/,
    "is a link to a file: add the file itself",
  ],
  [/^AC10\d\d/, `is a CAD drawing: ${asPdf}`],
  [/^%FDF-/, "is what was filled into a form, without the form: add the PDF"],
];

/** In UTF-16, Latin-1 or UTF-8. */
const plainText = /^(?!.*%PDF-)(\xff\xfe|\xfe\xff|[^\0-\x08\x0e-\x1a\x1c-\x1f\x7f]*$)/s;

/** Of ZIP files, by names in them. */
const zips: [RegExp, string][] = [
  [/word\/document/, `is a Word document: ${asPdf}`],
  [/xl\/workbook/, `is an Excel workbook: ${asPdf}`],
  [/ppt\/presentation/, `is a PowerPoint presentation: ${asPdf}`],
  [/application\/vnd\.oasis\.opendocument\.text/, `is an OpenDocument text: ${asPdf}`],
  [/application\/vnd\.oasis\.opendocument\./, `is an OpenDocument file: ${asPdf}`],
  [/application\/vnd\.etsi\.asic/, `is a container of signed files (ASiC): ${unpack}`],
  [/application\/epub/, `is an e-book: ${asPdf}`],
  [/FixedDocSeq/i, `is an XPS document: ${asPdf}`],
  [/visio\/document/, `is a Visio drawing: ${asPdf}`],
  [/Index\/Document\.iwa/, `is a document of Pages, Numbers or Keynote: ${asPdf}`],
  [/^/, `is a ZIP file: ${unpack}`],
];

/** The type of a file that can't be a page file; undefined if unknown. `end` has its last bytes. */
export function otherFileType(start: string, end = ""): string | undefined {
  if (/^[\0\s]*$/.test(start + end)) return "is empty: choose the file again";
  const of = /^PK(\x03\x04|\x05\x06)/.test(start) ? zips : kinds;
  const text = of === zips ? start + end : start.replace(/^\xef\xbb\xbf/, "").replace(/<!--.*?-->/gs, "");
  const [, kind] = of.find(([pattern]) => pattern.test(text)) ?? [];
  return kind ?? (plainText.test(start + end) ? `is a text file: ${printed}` : undefined);
}

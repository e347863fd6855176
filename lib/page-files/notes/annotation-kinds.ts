/** Kinds of annotations (ISO 32000-2, 12.5.6) of which a sealed page lacks something. */

export const media = new Set(["Movie", "Screen", "Sound", "RichMedia", "3D"]);
/** Annotations that PDFium does not draw without an appearance, and other programs do. */
export const undrawn = new Set(["FreeText", "Line", "Polygon", "PolyLine", "Stamp", "Caret"]);
/** Annotations (12.5.6.2) whose text is beside what they show. */
export const markup = new Set(
  "Text Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink FileAttachment Redact".split(
    " ",
  ),
);

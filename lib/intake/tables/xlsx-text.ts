import { damaged } from "./table-shape.ts";

/** Collects the text of `<t>` elements, without how it is pronounced. */
export function textReader() {
  let [collected, isText, isSpoken] = ["", false, false];
  return {
    opened(name: string) {
      if (name === "rPh") isSpoken = true;
      if (name === "t") isText = !isSpoken;
    },
    text(text: string) {
      if (isText) collected += text;
    },
    closed(name: string) {
      if (name === "rPh") isSpoken = false;
      if (name === "t") isText = false;
    },
    take() {
      const text = withoutEscapes(collected);
      collected = "";
      return text;
    },
  };
}

/** Text in which spreadsheets have escaped characters that XML can't contain. */
export function withoutEscapes(text: string): string {
  const unescaped = text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (unescaped.includes("\0")) throw damaged();
  return unescaped.toWellFormed();
}

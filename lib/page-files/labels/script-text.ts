import { join } from "node:path";
import sharp from "sharp";

/** Texts in scripts whose letters join, stack or are too many to embed, drawn as pictures. */

const fonts = { chinese: "Noto Sans SC", arabic: "Noto Sans Arabic", devanagari: "Noto Sans Devanagari" };
const families = Object.values(fonts).join(", ");
/** Of good label printers. */
const dotsPerInch = 300;
const dots = (points: number) => Math.max(1, Math.floor((points / 72) * dotsPerInch));

export const isScripted = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type TextOptions = { width?: number; height?: number; dpi?: number };

function pictureOf(text: string, font: string, options: TextOptions) {
  const [file] = Object.entries(fonts).find(([, family]) => family === font) ?? ["chinese"];
  const fontfile = join(import.meta.dirname, "scripts", `${file}.ttf`);
  return sharp({ text: { text, font, fontfile, wrap: "word-char", ...options } });
}

/** A font that was used once is there for all texts. */
let areLoaded: Promise<unknown> | undefined;

type TextPicture = { data: Uint8Array; dots: { width: number; height: number }; width: number; height: number };

/** Draws a text in lines of a width, smaller if they would be higher than `height`: dark grey values on white, and its points. */
export async function drawScript(text: string, size: number, box: { width: number; height: number }) {
  areLoaded ??= Promise.all(Object.values(fonts).map((font) => pictureOf("-", font, {}).toBuffer()));
  await areLoaded;
  const [width, height] = [dots(box.width), dots(box.height)];
  const drawn = (font: string, options: TextOptions) =>
    pictureOf(escaped(text), font, options)
      .toColourspace("b-w")
      .negate({ alpha: false })
      .raw()
      .toBuffer({ resolveWithObject: true });
  let { data, info } = await drawn(`${families} ${size}`, { width, dpi: dotsPerInch });
  if (info.width > width || info.height > height) ({ data, info } = await drawn(families, { width, height }));
  const inPoints = (pixels: number) => (pixels / dotsPerInch) * 72;
  const grey = data.filter((_, n) => n % info.channels === 0);
  return { data: grey, dots: info, width: inPoints(info.width), height: inPoints(info.height) } satisfies TextPicture;
}

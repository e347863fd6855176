import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRawStream, PDFString } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { mebibytesInBytes } from "../../units.ts";
import type { PdfCopier } from "../pdf/pdf-copier.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { constant, dictionary, oneOf, shortText } from "../pdf/pdf-rules.ts";
import { unpackedStream } from "../pdf/pdf-streams.ts";

/** The colours for which pages are meant (ISO 32000-2, 14.11.5), as PDF/A demands them. */

const name = (text: string) => PDFName.of(text);
const profileKey = name("DestOutputProfile");
/** Without the profile. */
const outputIntent = dictionary(() => ({
  Type: constant("OutputIntent"),
  S: oneOf("GTS_PDFA1 GTS_PDFX ISO_PDFE1"),
  OutputCondition: shortText,
  OutputConditionIdentifier: shortText,
  RegistryName: shortText,
  Info: shortText,
}));
const maxProfileBytes = mebibytesInBytes(4);
const maxIntents = 10;
const kinds = new Set<PDFObject | undefined>(["GTS_PDFA1", "GTS_PDFX", "ISO_PDFE1"].map(name));

type OutputIntents = { intents: PDFDict[]; profile: Uint8Array | undefined };

/**
 * The output intents of a file, and the profile of all that name one; undefined if programs that follow it would show other
 * colours than previews do, which ignore it.
 */
export async function outputIntentsOf(source: PdfReader): Promise<OutputIntents | undefined> {
  const array = source.look(source.catalog.get(name("OutputIntents")));
  const items = array instanceof PDFArray ? array.asArray().slice(0, maxIntents) : [];
  const dictionaries = items.map((item) => source.look(item)).filter((item) => item instanceof PDFDict);
  const intents = dictionaries.filter((intent) => kinds.has(source.look(intent.get(name("S")))));
  const values = intents.map((intent) => source.look(intent.get(profileKey)));
  const [stream, another] = new Set(values.filter((value) => value !== undefined));
  if (!stream) return { intents, profile: undefined };
  const isOne = stream instanceof PDFRawStream && !another;
  const profile = isOne && unpackedStream(stream, (value) => source.look(value), maxProfileBytes);
  return profile && (await isTrue(profile)) ? { intents, profile } : undefined;
}

/** Copies the output intents of a file; returns the entry for the catalog. */
export function keptOutputIntents(
  { intents, profile }: OutputIntents,
  copier: PdfCopier,
  { context }: PDFDocument,
): Record<string, PDFObject> {
  const copies = intents.map((intent) => ({ intent, copy: copier.dictionary(intent, outputIntent) }));
  copier.drain();
  const ref = profile && copier.place(context.flateStream(profile, { N: channelsOf(profile) }));
  for (const { intent, copy } of copies) if (ref && intent.has(profileKey)) copy.set(profileKey, ref);
  return copies.length > 0 ? { OutputIntents: context.obj(copies.map(({ copy }) => copy)) } : {};
}

/** Without one, PDF/A has no plain black and white, as the stamp has them. */
export async function addOutputIntent({ catalog, context }: PDFDocument): Promise<void> {
  if (catalog.has(name("OutputIntents"))) return;
  const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: "white" } });
  const { icc } = await sharp(await picture.withIccProfile("srgb").png().toBuffer()).metadata();
  const profile = context.register(context.flateStream(icc!, { N: 3 }));
  const intent = { Type: "OutputIntent", S: "GTS_PDFA1", OutputConditionIdentifier: PDFString.of("sRGB") };
  catalog.set(name("OutputIntents"), context.obj([{ ...intent, DestOutputProfile: profile }]));
}

/** By the profile's header (ICC.1, 7.2.6); undefined for another kind. */
const channelsOf = (profile: Uint8Array): number | undefined =>
  ({ GRAY: 1, "RGB ": 3, CMYK: 4 })[Buffer.from(profile.subarray(16, 20)).toString("latin1")];

const levels = [0, 128, 255];
/** Of 255: inks of presses are duller than those of screens by about half. */
const farthest = 150;

/** Whether a profile gives the extremes and middles of its channels about the colours that previews have. */
async function isTrue(profile: Uint8Array): Promise<boolean> {
  const channels = channelsOf(profile);
  if (!channels) return false;
  const samples = Array.from({ length: 3 ** channels }, (_, n) =>
    Array.from({ length: channels }, (_, channel) => levels[Math.floor(n / 3 ** channel) % 3]!),
  );
  try {
    const picture = sharp(tiffOf(profile, samples)).toColourspace("srgb").removeAlpha().raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    return samples.every((sample, n) =>
      plainColour(sample).every((level, c) => {
        const shown = data[n * info.channels + Math.min(c, info.channels - 1)]!;
        return Math.abs(shown - level) <= farthest;
      }),
    );
  } catch {
    return false;
  }
}

function plainColour(sample: number[]): number[] {
  const [a = 0, b = a, c = a, black] = sample;
  return black === undefined ? [a, b, c] : [a, b, c].map((ink) => ((255 - ink) * (255 - black)) / 255);
}

/** One row of pixels with a profile, as a TIFF: the one format of all three kinds of colours. */
function tiffOf(profile: Uint8Array, samples: number[][]): Buffer {
  const channels = samples[0]!.length;
  const pixels = Buffer.from(samples.flat());
  const photometric = { 1: 1, 3: 2, 4: 5 }[channels]!;
  const entries: [tag: number, type: number, count: number, value: number][] = [];
  const directoryBytes = 2 + 11 * 12 + 4;
  const at = {
    bits: 8 + directoryBytes,
    pixels: 8 + directoryBytes + 8,
    profile: 8 + directoryBytes + 8 + pixels.length,
  };
  entries.push([256, 4, 1, samples.length], [257, 4, 1, 1]);
  entries.push(channels === 1 ? [258, 3, 1, 8] : [258, 3, channels, at.bits]);
  entries.push([259, 3, 1, 1], [262, 3, 1, photometric], [273, 4, 1, at.pixels], [277, 3, 1, channels]);
  entries.push([278, 4, 1, 1], [279, 4, 1, pixels.length], [284, 3, 1, 1], [34_675, 7, profile.length, at.profile]);
  const head = Buffer.alloc(8 + directoryBytes + 8);
  head.write("II*\0", "latin1");
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries.length, 8);
  for (const [n, [tag, type, count, value]] of entries.entries()) {
    const to = 10 + n * 12;
    head.writeUInt16LE(tag, to);
    head.writeUInt16LE(type, to + 2);
    head.writeUInt32LE(count, to + 4);
    head.writeUInt32LE(value, to + 8);
  }
  for (let n = 0; n < 4; n++) head.writeUInt16LE(8, at.bits + 2 * n);
  return Buffer.concat([head, pixels, profile]);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import type { Figure } from "./figures.ts";
import { loopDelays, memoryOverIdle, watchingLoop } from "./watched.ts";

const files = 8;

/** What it costs to make and to send the sealed PDF of a document with 200 MB of page files, the most one can have. */
export async function measureSealed(): Promise<Figure[]> {
  const picture = await scan();
  const figures: Figure[] = [];
  // Pictures are made as large as a printer can show them; what a PDF holds goes into the sealed one as it is.
  figures.push(...(await measureOf("pictures", [picture, "image/jpeg"])));
  figures.push(...(await measureOf("PDFs", [await asPdf(picture), "application/pdf"], 190)));
  return figures;
}

async function measureOf(
  kind: string,
  [page, type]: [Uint8Array<ArrayBuffer>, string],
  megabytes = 50,
): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "sealdesk-sealed-"));
  const delays = join(scratch, "delays.json");
  const server = await startServer({ from: sampleData, env: watchingLoop(delays) });
  const client = await signInClient(server.url);
  const issue = async (name: string, count: number) => {
    const draft = await startDraft(client, name);
    for (let n = 0; n < count; n++) await addPages(client, draft, [new File([page], `${n}`, { type })]);
    return create(client, draft);
  };
  const read = async (document: string) => {
    let bytes = 0;
    const answer = await client.get(`/files${document}/sealed.pdf`);
    for await (const chunk of answer.body!) bytes += chunk.length;
    if (answer.status !== 200) throw new Error(`The sealed PDF was answered with ${answer.status}`);
    return bytes;
  };
  // Once in small: what is loaded on first use belongs to the idle server.
  await read(await issue("Warm-up", 1));
  const document = await issue("As large as can be", files);
  let bytes = 0;
  const begun = performance.now();
  const memory = await memoryOverIdle(server, async () => (bytes = await read(document)));
  const seconds = (performance.now() - begun) / 1000;
  await server.stop();
  const { p99, longest } = loopDelays(delays);
  rmSync(scratch, { recursive: true });
  const what = `The sealed PDF of 200 MB of ${kind}`;
  return [
    { what, value: bytes / 1e6, unit: "MB", atLeast: megabytes },
    { what: `${what}: memory over idle`, value: memory, unit: "MB", atMost: 256 },
    { what: `${what}: delay of the event loop, p99`, value: p99, unit: "s", atMost: 0.05 },
    { what: `${what}: the longest`, value: longest, unit: "s" },
    { what: `${what}: time until it is complete`, value: seconds, unit: "s" },
  ];
}

/** A JPEG of just below 25 MB, the most that a page file can have. */
async function scan() {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const drawn = sharp({ create: { width: 6500, height: 4640, channels: 3, background: "#888", noise } });
  const bytes = await drawn.jpeg({ quality: 92 }).toBuffer();
  return new Uint8Array(bytes);
}

async function asPdf(picture: Uint8Array) {
  const pdf = await PDFDocument.create();
  const image = await pdf.embedJpg(picture);
  pdf.addPage().drawImage(image, { width: 595, height: 427 });
  return new Uint8Array(await pdf.save());
}

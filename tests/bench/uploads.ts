import sharp from "sharp";
import { addPages, create, startClerk, startDraft } from "../support/clerk.ts";
import { sampleData } from "../support/sample.ts";
import { residentMegabytes, startServer } from "../support/server.ts";
import type { Figure } from "./bench.ts";

/** Resident memory at its peak, over that of the idle server, while 50 MB of photographs are uploaded and issued. */
export async function measureUploads(): Promise<Figure[]> {
  const photos = await Promise.all(Array.from({ length: 10 }, (_, n) => photo(n)));
  const megabytes = Math.round(photos.reduce((sum, { size }) => sum + size, 0) / 1e6);
  const figures: Figure[] = [];
  for (const [atOnce, atMost] of [
    [1, 64],
    [4, 100],
  ] as const) {
    const value = await peakOverIdle(photos, atOnce);
    figures.push({ what: `Memory over idle, ${megabytes} MB uploaded, ${atOnce} at once`, value, unit: "MB", atMost });
  }
  return figures;
}

/** A JPEG of 12 megapixels and about 5 MB, as telephones make them. */
async function photo(n: number): Promise<File> {
  const [width, height] = [4000, 3000];
  const noise = { type: "gaussian" as const, mean: 128, sigma: 24 + n / 10 };
  const drawn = sharp({ create: { width, height, channels: 3, background: "#888", noise } });
  const bytes = await drawn.jpeg({ quality: 85 }).toBuffer();
  return new File([new Uint8Array(bytes)], `photo-${n}.jpg`, { type: "image/jpeg" });
}

async function peakOverIdle(photos: File[], atOnce: number) {
  const server = await startServer({ from: sampleData });
  const clerk = await startClerk(server.url);
  // Once in small: what is loaded on first use belongs to the idle server.
  await issue("Warm-up", photos.slice(0, 1));
  const idle = await settled(server.process.pid!);
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(server.process.pid!))), 20);
  await Promise.all(Array.from({ length: atOnce }, (_, n) => issue(`Large ${n}`, photos)));
  clearInterval(watch);
  await server.stop();
  return peak - idle;

  async function issue(name: string, files: File[]) {
    const draft = await startDraft(clerk, name);
    await addPages(clerk, draft, files);
    await create(clerk, draft);
  }
}

/** The memory once it has stayed within 1 MB for two seconds, a minute at most. */
async function settled(pid: number) {
  let [last, calm] = [0, 0];
  for (let round = 0; round < 240 && calm < 8; round++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = residentMegabytes(pid);
    calm = Math.abs(now - last) < 1 ? calm + 1 : 0;
    if (calm === 0) last = now;
  }
  return last;
}

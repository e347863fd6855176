import sharp from "sharp";
import { addPages, type FormClient, create, signInClient, startDraft } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import type { Figure } from "./figures.ts";
import { memoryOverIdle } from "./watched.ts";

/** Resident memory at its peak, over that of the idle server, while 50 MB of photographs are uploaded and issued. */
export async function measureUploads(quick: boolean): Promise<Figure[]> {
  const photos = await Promise.all(Array.from({ length: 10 }, (_, n) => photo(n)));
  const megabytes = Math.round(photos.reduce((sum, { size }) => sum + size, 0) / 1e6);
  const figures: Figure[] = [];
  for (const [atOnce, atMost] of quick
    ? ([[1, 64]] as const)
    : ([
        [1, 64],
        [4, 100],
      ] as const)) {
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
  const client = await signInClient(server.url);
  // Once in small: what is loaded on first use belongs to the idle server.
  await issue(client, "Warm-up", photos.slice(0, 1));
  const peak = await memoryOverIdle(server, () =>
    Promise.all(Array.from({ length: atOnce }, (_, n) => issue(client, `Large ${n}`, photos))),
  );
  await server.stop();
  return peak;
}

async function issue(client: FormClient, name: string, files: File[]) {
  const draft = await startDraft(client, name);
  await addPages(client, draft, files);
  await create(client, draft);
}

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { concatTransformationMatrix, drawObject, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { labelSheets } from "#provider/contract/label-sheets.ts";
import type { Label } from "./labels/label-layout.ts";
import { openPageFiles, type PageFiles } from "./page-files.ts";
import { type PageProcess, startPageProcess, type Usage } from "./process/page-process.ts";
import { PageWorkBusy, PageWorkFailed } from "./refusals.ts";
import type { Requester } from "./process/requesters.ts";
import { blackPng, endlessPdf, tiledPdf } from "#tests/fixtures/page-files.ts";
import { mebibytesInBytes } from "../units.ts";

// Whole sheets are unpacked here: seconds of work, on a busy machine a minute.
vi.setConfig({ testTimeout: 180_000 });

const ada: Requester = { tenant: "Ada's company", priority: "staff" };
const bob: Requester = { tenant: "Bob's company", priority: "staff" };
const visitor: Requester = { tenant: "Ada's company", priority: "public" };

const smallPng = () => blackPng({ width: 300, height: 400 });

let directory: string;
const opened: PageFiles[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-page-files-"));
});

afterAll(async () => {
  for (const pageFiles of opened) await pageFiles.close();
  await rm(directory, { recursive: true });
});

/** Page files as the server opens them, with what their processes took. */
function observed(settings: Parameters<typeof openPageFiles>[0] = {}) {
  const processes: PageProcess[] = [];
  const peak: Usage = { cpu: 0, memory: 0 };
  const startProcess = (): PageProcess => {
    const process = startPageProcess();
    processes.push(process);
    return {
      ...process,
      run: (call, onUsage) =>
        process.run(call, (usage) => {
          peak.cpu = Math.max(peak.cpu, usage.cpu);
          peak.memory = Math.max(peak.memory, usage.memory);
          onUsage(usage);
        }),
    };
  };
  const pageFiles = openPageFiles({ startProcess, ...settings });
  opened.push(pageFiles);
  return { pageFiles, processes, peak };
}

async function stored(name: string, content: Uint8Array) {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function inspect(pageFiles: PageFiles, requester: Requester, name: string, content: Uint8Array) {
  const path = await stored(name, content);
  return pageFiles.work(requester, (jobs) => jobs.inspect({ path, image: `${path}.webp` }));
}

const draw = (pageFiles: PageFiles, requester: Requester, path: string, page = 2) =>
  pageFiles.work(requester, (jobs) =>
    jobs.draw({ path, type: "application/pdf", page, size: "large", to: `${path}.${page}.webp` }),
  );

const isAlive = (pid: number | undefined) => {
  try {
    return process.kill(pid!, 0);
  } catch {
    return false;
  }
};
const expectEnded = (pid: number | undefined) => expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);

test("starts a process with the first job, reuses it, and ends it when idle", async () => {
  const { pageFiles, processes } = observed({ idleMs: 5000 });
  const [png, pdf] = [smallPng(), await endlessPdf(0, { plain: 2 })];
  expect(processes).toHaveLength(0);
  expect(await inspect(pageFiles, ada, "first.png", png)).toMatchObject({ width: 300, height: 400 });
  expect(await inspect(pageFiles, bob, "second.pdf", pdf)).toMatchObject({ pages: 2 });
  expect(processes).toHaveLength(1);
  await expectEnded(processes[0]!.pid);
});

test("keeps one process for a server from its start on", async () => {
  // Its first work takes 130 MB, near the limit over which a kept process is replaced.
  const memoryBytes = { alone: mebibytesInBytes(400), concurrent: mebibytesInBytes(400), idle: mebibytesInBytes(400) };
  const { pageFiles, processes } = observed({ idleMs: 1, memoryBytes });
  pageFiles.keepOne();
  expect(processes).toHaveLength(1);
  for (const name of ["kept.png", "kept too.png"])
    expect(await inspect(pageFiles, ada, name, smallPng())).toMatchObject({ width: 300 });
  expect(processes).toHaveLength(1);
  await processes[0]!.kill();
  expect(await inspect(pageFiles, ada, "another's.png", smallPng())).toMatchObject({ width: 300 });
  expect(processes).toHaveLength(2);
});

test("replaces a kept process that has taken much memory, once it is idle", async () => {
  const memoryBytes = { alone: mebibytesInBytes(400), concurrent: mebibytesInBytes(200), idle: mebibytesInBytes(1) };
  const { pageFiles, processes } = observed({ idleMs: 1, memoryBytes });
  pageFiles.keepOne();
  await inspect(pageFiles, ada, "large.png", smallPng());
  await expectEnded(processes[0]!.pid);
  expect(processes).toHaveLength(2);
  expect(isAlive(processes[1]!.pid)).toBe(true);
});

test("labels that can't be drawn are a failure of ours, and blame no file", async () => {
  const { pageFiles } = observed();
  const { sheet } = labelSheets.L7163;
  const draw = (labels: Label[]) =>
    pageFiles.work(ada, (jobs) => jobs.labels({ labels, sheet, start: 1, to: join(directory, "labels.pdf") }));
  const label = { address: "https://sealdesk.example/v/A", number: "", name: "", copy: "", caption: "", code: "A" };
  await draw([label]);
  const broken = draw([{ ...label, name: undefined as never }]);
  await expect(broken).rejects.toThrow("A PDF could not be written");
  await expect(broken).rejects.not.toBeInstanceOf(PageWorkFailed);
});

test("refuses a small file that would decode to 800 MB by its header, with advice", async () => {
  const { pageFiles, peak } = observed();
  await inspect(pageFiles, ada, "small.png", smallPng());
  const before = peak.memory;
  const bomb = blackPng({ width: 10_000, height: 10_000, bits: 16, channels: 4, interlaced: true });
  expect(bomb.length).toBeLessThan(mebibytesInBytes(1));
  expect(await inspect(pageFiles, ada, "bomb.png", bomb)).toEqual({
    refused: expect.stringContaining("save it without interlacing and with 8 bits per colour"),
  });
  expect(peak.memory - before).toBeLessThan(mebibytesInBytes(64));
});

test("accepts a 600 dpi scan of an A3 sheet, and cleans it", async () => {
  const { pageFiles } = observed();
  const sheet = { width: 9921, height: 7016 };
  expect(await inspect(pageFiles, ada, "a3.png", blackPng(sheet))).toMatchObject(sheet);
  const jpeg = await sharp(join(directory, "a3.png")).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await inspect(pageFiles, ada, "a3.jpg", jpeg)).toMatchObject({ width: 7016, height: 9921 });
  const path = join(directory, "a3.jpg");
  await pageFiles.work(ada, (jobs) => jobs.clean({ path, type: "image/jpeg", to: `${path}.clean` }));
  expect(await sharp(`${path}.clean`).metadata()).toMatchObject({ width: 7016, height: 9921 });
});

test("a picture of a user may have 25 million pixels", async () => {
  const { pageFiles } = observed();
  const picture = async (width: number) => {
    const path = await stored("person.png", blackPng({ width, height: 5000 }));
    return pageFiles.work(ada, (jobs) => jobs.picture({ path, to: `${path}.webp` }));
  };
  expect(await picture(5000)).toBeUndefined();
  expect(await picture(5001)).toEqual({ refused: expect.stringContaining("more than 25 million pixels") });
});

test("kills a process over its memory limit, and starts another for the next job", async () => {
  const { pageFiles, processes } = observed({
    memoryBytes: { alone: mebibytesInBytes(200), concurrent: mebibytesInBytes(180), idle: mebibytesInBytes(140) },
  });
  const png = blackPng({ width: 9000, height: 7000, interlaced: true });
  expect(await inspect(pageFiles, ada, "large.png", png)).toEqual({
    refused: expect.stringContaining("takes too much time or memory"),
  });
  await expectEnded(processes[0]!.pid);
  expect(await inspect(pageFiles, ada, "small.png", smallPng())).toMatchObject({ type: "image/png" });
  expect(processes).toHaveLength(2);
});

test("refuses a PDF page of a billion rectangles within the memory limit", async () => {
  const { pageFiles, peak } = observed();
  const path = await stored("endless.pdf", await endlessPdf(1));
  await expect(draw(pageFiles, ada, path)).rejects.toMatchObject({ reason: "memory" });
  expect(peak.memory).toBeLessThan(mebibytesInBytes(400));
});

test("opens a PDF with an uncompressed picture of 24 MB in a part of the memory that its process may take", async () => {
  const { pageFiles, peak } = observed();
  const document = await PDFDocument.create();
  const { context } = document;
  const [width, height] = [2400, 3400];
  const kind = { Type: "XObject", Subtype: "Image", ColorSpace: "DeviceRGB", BitsPerComponent: 8 };
  const picture = context.register(
    context.stream(randomBytes(width * height * 3), { ...kind, Width: width, Height: height }),
  );
  const page = document.addPage([595, 842]);
  page.node.setXObject(PDFName.of("Picture"), picture);
  page.pushOperators(concatTransformationMatrix(595, 0, 0, 842, 0, 0), drawObject("Picture"));
  for (const name of ["first.pdf", "second.pdf"]) {
    const inspected = await inspect(pageFiles, ada, name, await document.save());
    expect(inspected).toMatchObject({ type: "application/pdf", pages: 1 });
  }
  expect(peak.memory).toBeLessThan(mebibytesInBytes(350));
});

test("takes a file of endless pages, and says of them that what a code covers is unknown", async () => {
  const { pageFiles } = observed({ seconds: { covered: 1 } });
  const inspected = await inspect(pageFiles, ada, "endless-pages.pdf", await tiledPdf(1));
  expect(inspected).toMatchObject({ pages: 2, covered: expect.stringMatching(/^\d{4}(\([\w-]+\))?\?{4}$/) });
});

test("stops an endless page by its processor time", async () => {
  const { pageFiles, processes, peak } = observed({ seconds: { draw: 2 } });
  const path = await stored("tiled.pdf", await tiledPdf());
  await expect(draw(pageFiles, ada, path)).rejects.toMatchObject({ reason: "time" });
  expect(peak.cpu).toBeGreaterThan(2);
  await expectEnded(processes[0]!.pid);
});

test("answers an upload despite endless work for visitors and the background", async () => {
  const { pageFiles } = observed();
  const tiled = await stored("tiled.pdf", await tiledPdf());
  const leaving = new AbortController();
  const answered: string[] = [];
  const others: Requester[] = [visitor, visitor, { ...ada, priority: "background" }, { ...bob, priority: "public" }];
  const endless = others.map((requester) =>
    draw(pageFiles, { ...requester, signal: leaving.signal }, tiled)
      .catch(() => {})
      .finally(() => answered.push("endless")),
  );
  for (const requester of [ada, bob]) {
    expect(await inspect(pageFiles, requester, "honest.png", smallPng())).toMatchObject({ type: "image/png" });
    answered.push(requester.tenant);
  }
  expect(answered).toEqual(["Ada's company", "Bob's company"]);
  leaving.abort();
  await Promise.all(endless);
});

test("drops a job without requesters, and kills it if it runs", async () => {
  const { pageFiles, processes } = observed();
  const path = await stored("tiled.pdf", await tiledPdf());
  const leaving = new AbortController();
  const running = draw(pageFiles, { ...visitor, signal: leaving.signal }, path);
  const waiting = draw(pageFiles, { ...visitor, signal: leaving.signal }, path);
  const dropped = Promise.allSettled([running, waiting]);
  await expect.poll(() => processes.length, { timeout: 60_000 }).toBeGreaterThan(0);
  leaving.abort();
  for (const result of await dropped)
    expect(result).toMatchObject({ status: "rejected", reason: { name: "AbortError" } });
  for (const { pid } of processes) await expectEnded(pid);
  expect(await inspect(pageFiles, ada, "after.png", smallPng())).toMatchObject({ type: "image/png" });
});

test("a missing file is the store's failure, not a damaged file", async () => {
  const { pageFiles } = observed();
  const path = join(directory, "missing");
  for (const type of ["image/png", "application/pdf"] as const) {
    const drawing = pageFiles.work(ada, (jobs) =>
      jobs.draw({ path, type, page: 1, size: "small", to: `${path}.webp` }),
    );
    await expect(drawing).rejects.toMatchObject({ code: "ENOENT" });
  }
});

test("retries a job once if its process is killed from outside", async () => {
  const { pageFiles, processes } = observed();
  const path = await stored("tiled.pdf", await tiledPdf());
  const drawing = draw(pageFiles, ada, path).catch((error: unknown) => error);
  for (const attempt of [1, 2]) {
    await expect.poll(() => processes.length, { timeout: 60_000 }).toBe(attempt);
    process.kill(processes[attempt - 1]!.pid!, "SIGKILL");
  }
  expect(await drawing).toBeInstanceOf(PageWorkBusy);
  expect(await inspect(pageFiles, ada, "after.png", smallPng())).toMatchObject({ type: "image/png" });
});

test("the process has none of the server's settings, and is the first that Linux kills for lack of memory", async ({
  skip,
}) => {
  if (!existsSync("/proc/self/environ")) skip("there is no /proc here");
  vi.stubEnv("SESSION_SECRET", "words-of-a-server-that-is-tested");
  const { pageFiles, processes } = observed();
  await inspect(pageFiles, ada, "small.png", smallPng());
  const of = (file: string) => readFileSync(`/proc/${processes[0]!.pid}/${file}`, "latin1");
  expect(of("environ")).not.toContain("words-of-a-server");
  expect(of("oom_score_adj")).toBe("1000\n");
  vi.unstubAllEnvs();
});

test("closing kills running jobs and refuses waiting ones", async () => {
  const { pageFiles, processes } = observed();
  const path = await stored("tiled.pdf", await tiledPdf());
  const work = Promise.allSettled([ada, bob].map((requester) => draw(pageFiles, requester, path)));
  await expect.poll(() => processes.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await pageFiles.close();
  expect((await work).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  for (const { pid } of processes) expect(isAlive(pid)).toBe(false);
});

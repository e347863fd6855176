import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Body, handWritten } from "#tests/fixtures/pdf.ts";
import { openPageFiles, type PageFiles } from "../page-files.ts";
import { pagesOf } from "./pdf-pages.ts";
import { PdfReader } from "./pdf-reader.ts";

/** Objects that contain themselves, are very deep, or are in many others. */

// Each job has its own limit of processor time, which fails a walk that does not end.
vi.setConfig({ testTimeout: 180_000 });

let folder: string;
let pageFiles: PageFiles;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "walks-"));
  pageFiles = openPageFiles();
});
afterAll(async () => {
  await pageFiles.close();
  await rm(folder, { recursive: true });
});

/** A PDF with an empty page, entries of catalog and page, and objects from 10 on. */
const pdf = (of: { catalog?: string; page?: string }, objects: Record<number, Body>) =>
  handWritten({
    1: `<< /Type /Catalog /Pages 2 0 R ${of.catalog ?? ""} >>`,
    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${of.page ?? ""} >>`,
    ...objects,
  });

const depth = 3000;
/** A chain of objects from 10 on, each made with the reference of the next. */
const chain = (link: (next: string) => string): Record<number, Body> =>
  Object.fromEntries(Array.from({ length: depth }, (_, n) => [10 + n, link(`${11 + n} 0 R`)]));
const twice = (of: string) => `${of} ${of}`;
const itself = (link: (next: string) => string): Record<number, Body> => ({ 10: link("10 0 R") });
const drawn = (link: string): Body => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${link}`,
  data: "/X Do",
});

type Way = { of: { catalog?: string; page?: string }; link: (next: string) => string };
const ways: Record<string, Way> = {
  "arrays of tags": { of: { catalog: "/StructTreeRoot << /K 10 0 R >>" }, link: (next) => `[${twice(next)}]` },
  tags: { of: { catalog: "/StructTreeRoot 10 0 R" }, link: (next) => `<< /S /P /P ${next} /K [${twice(next)}] >>` },
  "classes and roles of tags": {
    of: { catalog: "/StructTreeRoot << /K << /S /P >> /ClassMap 10 0 R /RoleMap 10 0 R >>" },
    link: (next) => `<< /A ${next} /B [${twice(next)}] >>`,
  },
  "numbers of tags": {
    of: { catalog: "/StructTreeRoot << /K << /S /P >> /ParentTree 10 0 R >>" },
    link: (next) => `<< /Kids [${twice(next)}] /Nums [0 ${next}] >>`,
  },
  "names of tags": {
    of: { catalog: "/StructTreeRoot << /K << /S /P >> /IDTree 10 0 R >>" },
    link: (next) => `<< /Kids [${twice(next)}] /Names [(a) ${next}] >>`,
  },
  bookmarks: {
    of: { catalog: "/Outlines 10 0 R" },
    link: (next) => `<< /Title (a) /First ${next} /Next ${next} /Last ${next} /Parent ${next} /Dest [3 0 R /Fit] >>`,
  },
  "bookmarks without titles": { of: { catalog: "/Outlines 10 0 R" }, link: (next) => `<< /First ${next} >>` },
  "names of places": {
    of: { catalog: "/Names << /Dests 10 0 R >> /Outlines << /First << /Title (a) /Dest (b) >> >>" },
    link: (next) => `<< /Kids [${twice(next)}] /Names [(a) ${next}] >>`,
  },
  "attached files": {
    of: { catalog: "/Names << /EmbeddedFiles 10 0 R >> /AF 10 0 R" },
    link: (next) => `<< /Kids [${twice(next)}] /Names [(a) ${next}] /EF ${next} >>`,
  },
  "arrays of attached files": { of: { catalog: "/AF 10 0 R" }, link: (next) => `[${twice(next)}]` },
  "page labels": {
    of: { catalog: "/PageLabels 10 0 R" },
    link: (next) => `<< /Kids [${twice(next)}] /Nums [0 ${next}] /P ${next} >>`,
  },
  fields: {
    of: { catalog: "/AcroForm << /Fields [10 0 R] >>", page: "/Annots [10 0 R]" },
    // PDFium itself would not end with two.
    link: (next) => `<< /Subtype /Widget /Kids [${next}] /Parent ${next} /Rect [0 0 9 9] /T (a) >>`,
  },
  actions: { of: { catalog: "/OpenAction 10 0 R" }, link: (next) => `<< /S /URI /Next [${twice(next)}] >>` },
  annotations: { of: { page: "/Annots 10 0 R" }, link: (next) => `[${twice(next)}]` },
  "output intents": { of: { catalog: "/OutputIntents 10 0 R" }, link: (next) => `[${twice(next)}]` },
  resources: {
    of: { page: "/Resources 10 0 R" },
    link: (next) => `<< /XObject ${next} /Font ${next} /ExtGState ${next} /ColorSpace ${next} /Properties ${next} >>`,
  },
  "states of graphics": {
    of: { page: "/Resources << /ExtGState << /G 10 0 R >> >>" },
    link: (next) => `<< /SMask << /G ${next} /TR ${next} >> /Font [${next} 1] /BM ${next} >>`,
  },
  "colour spaces": {
    of: { page: "/Resources << /ColorSpace << /C 10 0 R >> >>" },
    link: (next) => `[/Indexed ${next} 1 ${next}]`,
  },
  layers: {
    of: { page: "/Resources << /Properties << /L << /Type /OCMD /VE 10 0 R /OCGs 10 0 R >> >> >>" },
    link: (next) => `[/And ${twice(next)}]`,
  },
};

/** Notes and sealed pages of a file, neither of which takes the time that a job may have. */
async function sealedPages(content: Buffer) {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, content);
  return pageFiles.work({ tenant: "Company", priority: "staff" }, async (jobs) => {
    const inspected = await jobs.inspect({ path, image: `${path}.webp` });
    await jobs.seal({ files: [{ path, type: "application/pdf" }], to: `${path}.sealed`, title: "" });
    return inspected;
  });
}

describe("A walk through a PDF ends", () => {
  test.each(Object.entries(ways))("in %s that contain themselves", async (_, { of, link }) => {
    expect(await sealedPages(pdf(of, itself(link)))).toMatchObject({ pages: 1 });
  });

  test.each(Object.entries(ways))("in %s within thousands of others", async (_, { of, link }) => {
    expect(await sealedPages(pdf(of, chain(link)))).toMatchObject({ pages: 1 });
  });

  test("in forms that are drawn within themselves", async () => {
    const page = "/Contents 11 0 R /Resources << /XObject << /X 10 0 R >> >>";
    const form = drawn("/Resources << /XObject << /X 10 0 R >> >> /Group 10 0 R");
    expect(await sealedPages(pdf({ page }, { 10: form, 11: { dict: "", data: "/X Do" } }))).toMatchObject({ pages: 1 });
  });

  test("in nodes of pages that share a long list, or are in themselves", () => {
    const nodes = Array.from({ length: 20_000 }, (_, n) => n + 11);
    const objects: Record<number, Body> = Object.fromEntries(nodes.map((n) => [n, "<< /Kids 10 0 R >>"]));
    const list = `[${nodes.map((n) => `${n} 0 R`).join(" ")}]`;
    const written = handWritten({ 1: "<< /Pages 2 0 R >>", 2: "<< /Kids 10 0 R >>", 10: list, ...objects });
    expect(pagesOf(new PdfReader(written), 1000)).toHaveLength(0);
  });

  test("in places that are very long, at each bookmark and link", async () => {
    const long = `[3 0 R /Fit ${"0 ".repeat(300_000)}]`;
    const items = Array.from({ length: 5000 }, (_, n) => n + 11);
    const bookmarks = items.map((n) => [n, `<< /Title (a) /Dest 10 0 R /Next ${n + 1} 0 R >>`]);
    const content = pdf({ catalog: "/Outlines << /First 11 0 R >>" }, { 10: long, ...Object.fromEntries(bookmarks) });
    expect(await sealedPages(content)).toMatchObject({ pages: 1 });
  });
});

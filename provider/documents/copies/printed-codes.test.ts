import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import { expect, onTestFinished, test } from "vitest";
import { asFile, photoFile } from "#tests/fixtures/files.ts";
import { rasterOf, without } from "#tests/fixtures/pdf-programs.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { readByZbar, readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { placingCorners, placingPages, placingSizes } from "../../contract/document-options.ts";
import { readSignedCode } from "#lib/seal/signed-code.ts";
import { oneIn } from "#tests/support/shares.ts";

const keysOf = <T extends object>(choices: T) => Object.keys(choices) as (keyof T)[];
const copies = 5;
const pages = 3;
/** The second makes the code denser. */
const hosts = ["sealdesk.example", `${"documents.".repeat(4)}sealdesk.example`];

const choices = keysOf(placingCorners).flatMap((corner) =>
  keysOf(placingPages).flatMap((where) => keysOf(placingSizes).map((size) => ({ corner, where, size }))),
);
const placings = choices.map((choice, index) => ({ ...choice, number: `NM-${index}` }));
const printed = placings.flatMap((placing, index) =>
  Array.from({ length: copies }, (_, n) => ({ ...placing, copy: n + 1, host: hosts[index % 2]! })),
);

/** An upright page full of text, one that lies on its side, and a photo. */
async function pageFiles() {
  const pdf = await PDFDocument.create();
  for (const angle of [0, 90]) {
    const page = pdf.addPage([595, 842]);
    page.setRotation(degrees(angle));
    for (let y = 10; y < 842; y += 12)
      page.drawText("Text beside and below the code. ".repeat(5), { x: 5, y, size: 8 });
  }
  return [asFile(Buffer.from(await pdf.save()), "text.pdf"), asFile(await photoFile(), "photo.jpg")];
}

type Placing = (typeof placings)[number];

/** Issues documents of a company whose codes name a host, each once. */
async function issuer(host: string) {
  const { call, company, issue } = await testProvider({ publicUrl: `https://${host}` });
  const { token } = (await company()).admin;
  const files = await pageFiles();
  const issueAt = async ({ corner, where, size, number }: Placing) => {
    const draft = {
      copies: `${copies}`,
      number,
      qr_placing: `${corner}:${where}:${size}`,
    };
    const { json } = await issue(token, draft, files);
    const params = { id: json.id as number };
    const { json: list } = await call("listCopies", { token, params });
    return {
      codes: list as { code: string; verify_url: string }[],
      sealed: async (copy: number) =>
        (await call("getSealedPdf", { token, params, query: { copy: `${copy}` } })).bytes as Uint8Array,
    };
  };
  return { call, issue: once(({ number }: Placing) => number, issueAt) };
}

/** Calls a function once for each key. */
function once<A, R>(keyOf: (argument: A) => string, make: (argument: A) => R): (argument: A) => R {
  const resultsByKey = new Map<string, R>();
  return (argument) => {
    const key = keyOf(argument);
    if (!resultsByKey.has(key)) resultsByKey.set(key, make(argument));
    return resultsByKey.get(key)!;
  };
}

const issuerOn = once((host: string) => host, issuer);

/** The text of the codes on a page of a PDF, as all decoders of this machine read it. */
async function readCodes(path: string, page: number) {
  const raster = await rasterOf(path, page);
  const texts = await readByZxing(await readFile(raster));
  if (!without("zbarimg")) expect(await readByZbar(raster), `zbar, page ${page}`).toEqual(texts);
  return texts;
}

async function storedPdf(content: Uint8Array) {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-printed-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, "sealed.pdf");
  await writeFile(path, content);
  return path;
}

const stampedPages = { first: [1], last: [pages], every: [1, 2, 3] };

test.runIf(hasDatabase() && !without("pdftoppm")).each(oneIn(43, printed))(
  "copy $copy of 5 is read from a scan of 300 dpi, $size, $corner of the $where page, on $host",
  async ({ copy, host, ...placing }) => {
    const { call, issue } = await issuerOn(host);
    const { codes, sealed } = await issue(placing);
    const { code, verify_url } = codes[copy - 1]!;
    const path = await storedPdf(await sealed(copy));
    const stamped = stampedPages[placing.where];
    const [address, ...others] = await readCodes(path, stamped[0]!);
    expect(others).toEqual([]);
    for (const page of stamped.slice(1)) expect(await readCodes(path, page)).toEqual([address]);
    if (copy === 1)
      for (const page of [1, 2, 3].filter((one) => !stamped.includes(one)))
        expect(await readCodes(path, page)).toEqual([]);
    if (placing.size === "small") return expect(address).toBe(verify_url);
    const digits = address!.slice(verify_url.length + 1);
    expect(address).toBe(`${verify_url}/${digits}`);
    expect(readSignedCode(digits)!.statement).toMatchObject({ number: placing.number, copy, of: copies });
    const { json } = await call("checkSignature", { params: { code }, body: { digits } });
    expect(json.verdict).toBe("confirmed");
  },
);

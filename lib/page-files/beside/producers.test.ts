import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inspectPdf, opensslOf, saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { sealFile } from "#tests/fixtures/sealed-file.ts";
import { pemOf, testSigner } from "#tests/fixtures/signer.ts";

/** Sealed PDFs of files that six programs made, and that four others saved again, as four programs judge them. */

let folder: string;
const signer = testSigner();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "producers-"));
  await writeFile(join(folder, "root.pem"), pemOf(signer.chain.at(-1)!));
});
afterAll(() => rm(folder, { recursive: true }));

const made = [
  "page-beside/factur-x.pdf",
  "page-beside/ghostscript-a2.pdf",
  "page-beside/libreoffice-a2-ua.pdf",
  "page-beside/weasyprint-a3.pdf",
  "page-beside/weasyprint-ua.pdf",
  "page-notes/printed-by-chromium.pdf",
];
const files = made.flatMap((file) =>
  (["as it is", "qpdf", "gs", "pdftocairo", "mutool"] as const).map((saved) => ({ file, saved })),
);
const programs = ["openssl", "pdfsig", "qpdf", "mutool", "gs", "pdftocairo"] as const;

test.skipIf(programs.some(without)).each(files)(
  "openssl, pdfsig, qpdf and mutool find nothing wrong in the sealed $file, saved by: $saved",
  async ({ file, saved }) => {
    const from = new URL(`../../../tests/fixtures/${file}`, import.meta.url).pathname;
    // mutool never ends if the name it writes to is no PDF's.
    const [again, to] = ["again.pdf", "sealed.pdf"].map((name) => join(folder, `${crypto.randomUUID()}-${name}`)) as [
      string,
      string,
    ];
    if (saved !== "as it is") await saveAgain[saved](from, again);
    await sealFile(saved === "as it is" ? from : again, to, signer, {});
    expect(await opensslOf(to, join(folder, "root.pem"))).toContain("CAdES Verification successful");
    const verdict = await inspectPdf.pdfsig(to);
    for (const line of ["Signature is Valid", "Total document signed"]) expect(verdict).toContain(line);
    expect(await inspectPdf.qpdf(to)).toContain("No syntax or stream encoding errors");
    expect(await inspectPdf.mutool(to)).toContain("unchanged since signing");
  },
);

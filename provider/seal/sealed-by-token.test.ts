import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";
import { inspectPdf, opensslOf, without } from "#tests/fixtures/pdf-programs.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { hasSoftToken, newKey, softToken } from "#tests/fixtures/soft-token.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { openToken } from "./keys/token.ts";
import { sealingJob } from "../services.ts";

const suite = describe.runIf(hasDatabase() && hasSoftToken);
const title = (text: string) => (hasSoftToken ? text : `${text} (needs Debian's packages softhsm2 and opensc)`);

const removals: (() => void)[] = [];
afterAll(() => removals.forEach((remove) => remove()));

/** A company whose installation seals with a key on a token, and its documents. */
async function withToken(kind: string | number = "P-256") {
  const token = softToken();
  removals.push(token.remove);
  const { tool, behave } = token.observed();
  const certificates = token.addKey("seal key", "01", newKey(kind));
  const clock = { now: new Date() };
  const operatorKey = await openToken(token.settings({ certificates, tool }), () => clock.now);
  const logged: string[] = [];
  const provider = await testProvider({
    seals: { wrappingKeys: [secretKey("the secret of the seal keys of these tests")], operatorKey },
    log: { info() {}, warn() {}, error: (_, message) => void logged.push(message) },
  });
  const { admin } = await provider.company();
  const issue = async (number: string) =>
    provider.issue(admin.token, { number, copies: 2 }, [asFile(await pdfFile(0), "lease.pdf")]);
  const sealed = (id: number) => provider.call("getSealedPdf", { token: admin.token, params: { id } });
  const count = async (table: "sealed_files" | "documents_to_seal") =>
    (await provider.db.selectFrom(table).selectAll().execute()).length;
  const later = (seconds: number) => (clock.now = new Date(clock.now.getTime() + seconds * 1000));
  return { ...provider, ...token, certificates, behave, issue, sealed, count, later, logged };
}

suite(title("a sealed PDF that is signed by a token"), () => {
  test.skipIf(without("pdfsig") || without("openssl")).each(["P-256", "P-384", 2048])(
    "with a key of kind %s is valid for pdfsig and openssl",
    async (kind) => {
      const { issue, sealed, directory, certificates, call } = await withToken(kind);
      const { json } = await issue("NM-1");
      const [path, root] = [join(directory, "sealed.pdf"), join(directory, "root.pem")];
      await writeFile(path, (await sealed(json.id)).bytes);
      await writeFile(root, certificates);
      const signatures = await inspectPdf.pdfsig(path);
      expect(signatures).toContain("Signer Certificate Common Name: Their seal");
      expect(signatures).toContain("Total document signed");
      expect(signatures).toContain("Signature Validation: Signature is Valid.");
      expect(await opensslOf(path, root)).toContain("CAdES Verification successful");
      expect((await call("publishedSealRoots")).json[0].subject).toBe("Their root");
    },
  );

  test("waits while the token fails: documents are issued, and sealed when it works again", async () => {
    const { issue, sealed, run, behave, count, later, logged } = await withToken();
    behave("fail");
    const documents = [await issue("NM-1"), await issue("NM-2")];
    expect(documents.map(({ status }) => status)).toEqual([201, 201]);
    await expect(run(sealingJob)).rejects.toThrow("the token fails (CKR_DEVICE_REMOVED)");
    expect([await count("documents_to_seal"), await count("sealed_files")]).toEqual([2, 0]);
    const refused = await sealed(documents[0]!.json.id);
    expect([refused.status, refused.json.message]).toEqual([503, expect.stringContaining("can’t be sealed just now")]);
    expect(logged).toEqual(["the operator's key can't sign, sealing later"]);
    behave("well");
    later(61);
    await run(sealingJob);
    expect([await count("documents_to_seal"), await count("sealed_files")]).toEqual([0, 4]);
    expect((await sealed(documents[0]!.json.id)).status).toBe(200);
  });
});

import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inspectPdf, without } from "#tests/fixtures/pdf-programs.ts";
import { sealPages } from "#tests/fixtures/sealed-file.ts";
import { pemOf, testRevocationList, testSigner } from "#tests/fixtures/signer.ts";
import { startTimeStampChain } from "#tests/fixtures/time-stamp-chain.ts";
import { hasOpenssl } from "#tests/fixtures/time-stamp-service.ts";
import { signDigest } from "./cms.ts";
import { withEvidence } from "./evidence.ts";
import { requestBytes } from "./request-bytes.ts";
import { isListOf } from "./revocation-list.ts";
import { timeStamper } from "./time-stamps.ts";

const suite = describe.runIf(hasOpenssl);
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "sealdesk-evidence-"));

let authority: Awaited<ReturnType<typeof startTimeStampChain>>;
beforeAll(async () => {
  if (hasOpenssl) authority = await startTimeStampChain();
}, 60_000);
afterEach(() => {
  authority?.withheld.clear();
  authority?.silent.clear();
  authority?.requests.splice(0);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await authority?.close();
});

function stamping({ maxBytes = 100_000, ended }: { maxBytes?: number; ended?: AbortSignal } = {}) {
  const missing: string[][] = [];
  const clock = { now: new Date() };
  const fetch = (address: string, signal: AbortSignal) =>
    requestBytes(address, { maxBytes, timeoutMs: 60_000, signal });
  const source = withEvidence({
    timeStamp: timeStamper([authority.url], { onFailure: (error) => expect.fail(String(error)) }),
    fetch: { ofStamp: fetch, ofOperator: fetch },
    onMissing: (names, error) => missing.push(error ? [...names, String(error)] : names),
    onUnstamped: () => missing.push(["a time stamp"]),
    now: () => clock.now,
    ...(ended && { deadline: () => ended }),
  });
  return { ...source, missing, clock };
}

const signer = testSigner(new Date(Date.now() - 60_000));
const lists = async () => [testRevocationList(signer)];
const fileOf = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

suite("a sealed PDF with a time stamp", () => {
  test.skipIf(without("python3"))(
    "has all that openssl needs to verify seal and stamp, with each certificate checked for revocation",
    async () => {
      const { timeStamp, evidence, missing } = stamping();
      const collected = await evidence({ ...signer, lists });
      const pages = [["Amount 100"]];
      const sealed = await sealPages(pages, join(folder, "sealed.pdf"), signer, { timeStamp, evidence: collected });
      expect(missing).toEqual([]);
      const manual = readFileSync(join(import.meta.dirname, "..", "..", "docs/verifying.md"), "utf8");
      const command = async (begin: string) => {
        const lines = manual.slice(manual.indexOf(begin));
        await run("sh", ["-ec", /^[^]*?^ {4}END$/m.exec(lines)![0].replace(/^ {4}/gm, "")], { cwd: folder });
      };
      const hex = sealed.bytes.toString("latin1", sealed.space.start + 1, sealed.space.end - 1);
      const cms = fileOf("signature.der", Buffer.from(hex, "hex"));
      const { start, end } = sealed.space;
      const content = Buffer.concat([sealed.bytes.subarray(0, start), sealed.bytes.subarray(end)]);
      await command("    python3 - <<'END'\n    import re, subprocess");
      await command("    python3 - sealed.pdf <<'END'\n    import base64, re, sys, zlib");
      const others = join(folder, "certificates.pem");
      const crls = readFileSync(join(folder, "lists.pem"), "utf8").match(/^-----BEGIN[^]*?-----END.*\n/gm)!;
      const certificates = readFileSync(others, "utf8").match(/BEGIN CERTIFICATE/g);
      expect([certificates!.length, crls.length]).toEqual([5, 3]);
      const verify = async (lists: string[]) => {
        const ofSeal = fileOf("seal-root.pem", [pemOf(signer.chain.at(-1)!), ...lists].join(""));
        const ofStamp = fileOf("stamp-root.pem", [readFileSync(authority.root, "utf8"), ...lists].join(""));
        const seal = ["cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", cms, "-content"];
        await run("openssl", [
          ...seal,
          fileOf("content", content),
          "-crl_check_all",
          "-CAfile",
          ofSeal,
          "-out",
          "/dev/null",
        ]);
        const stamp = ["ts", "-verify", "-in", join(folder, "token.der"), "-token_in", "-crl_check_all"];
        const data = ["-data", join(folder, "signature.value"), "-CAfile", ofStamp, "-untrusted", others];
        return (await run("openssl", [...stamp, ...data])).stdout;
      };
      expect(await verify(crls)).toContain("Verification: OK");
      for (const one of crls) await expect(verify(crls.filter((list) => list !== one))).rejects.toThrow();
      if (without("pdfsig")) return;
      const signatures = await inspectPdf.pdfsig(sealed.path);
      expect(signatures).toContain("Signature is Valid.");
      expect(signatures).toContain("Total document signed");
    },
  );

  test("is sealed all the same if a list is missing, which is said, and looked for again after some minutes", async () => {
    const { evidence, missing, clock } = stamping();
    authority.withheld.add("middle.crl");
    const lacking = (await evidence({ ...signer, lists }))!;
    expect([lacking.certificates.length, lacking.revocationLists.length]).toEqual([5, 2]);
    expect(missing).toEqual([["a revocation list for CN=tsa"]]);
    authority.withheld.clear();
    await evidence({ ...signer, lists });
    expect(missing).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 601_000);
    expect((await evidence({ ...signer, lists }))!.revocationLists).toHaveLength(3);
  });

  test("without an issuer at its address has what there is", async () => {
    const { evidence, missing } = stamping();
    authority.withheld.add("middle.cer");
    expect((await evidence({ ...signer, lists }))!.certificates).toHaveLength(3);
    expect(missing).toEqual([["the issuer of CN=tsa"]]);
  });

  test("takes no list that is larger than allowed", async () => {
    const { evidence, missing } = stamping({ maxBytes: 100 });
    expect((await evidence({ ...signer, lists }))!.revocationLists).toHaveLength(1);
    expect(missing).toEqual([["the issuer of CN=tsa"]]);
  });

  test("waits for all addresses together until a deadline, and is sealed with what there is then", async () => {
    const deadline = new AbortController();
    const { evidence, missing } = stamping({ ended: deadline.signal });
    authority.silent.set("missing.crl", () => deadline.abort());
    const { certificates, revocationLists } = (await evidence({ ...signer, lists }))!;
    expect([certificates.length, revocationLists.length]).toEqual([4, 1]);
    expect(missing).toEqual([["a revocation list for CN=tsa", "the issuer of CN=middle"]]);
    expect(authority.requests).toEqual(["", "middle.cer", "missing.crl"]);
  });

  test("asks for issuers and lists once in half a day, and stamps on trial once", async () => {
    const { evidence, timeStamp, clock } = stamping();
    await Promise.all([evidence({ ...signer, lists }), evidence({ ...signer, lists })]);
    await timeStamp(Buffer.from("a signature"));
    await evidence({ ...signer, lists });
    const asked = ["middle.cer", "missing.crl", "middle.crl", "root.cer", "root.crl"];
    expect(authority.requests.filter((name) => name !== "")).toEqual(asked);
    clock.now = new Date(clock.now.getTime() + 12 * 3_600_001);
    await evidence({ ...signer, lists });
    expect(authority.requests.filter((name) => name !== "")).toEqual([...asked, ...asked]);
  });
});

suite("evidence", () => {
  test("has lists for the own chain that are good now, and none that ended", async () => {
    const { evidence } = stamping();
    const ended = async () => [testRevocationList(signer, new Date(Date.now() - 1000))];
    expect((await evidence({ ...signer, lists: ended }))!.revocationLists).toHaveLength(2);
    const { certificates, revocationLists } = (await evidence({ ...signer, lists }))!;
    expect(certificates.slice(0, 2)).toEqual(signer.chain);
    expect(isListOf(revocationLists[0]!, new X509Certificate(signer.chain[1]!), new Date())).toBe(true);
  });
});

test("a stamp with a certificate that can't be read has no evidence, and stops no seal", async () => {
  const junk = Buffer.from("3003020101", "hex");
  const by = { ...signer, chain: [...signer.chain, junk] };
  const { signature: token } = await signDigest(Buffer.alloc(32), by, { room: 9999 });
  const missing: string[][] = [];
  const fetch = () => Promise.reject(new Error("not asked"));
  const { evidence } = withEvidence({
    timeStamp: async () => token,
    fetch: { ofStamp: fetch, ofOperator: fetch },
    onMissing: (names, error) => missing.push(error ? [...names, String(error)] : names),
    onUnstamped: () => missing.push(["a time stamp"]),
    now: () => new Date(),
  });
  expect((await evidence({ ...signer, lists }))!.certificates).toEqual(signer.chain);
  expect(missing).toEqual([["a certificate that can be read", expect.stringMatching(/^Error: /)]]);
});

test("a stamp by another certificate than the evidence is for is said, once for each change", async () => {
  const missing: string[][] = [];
  const fetch = () => Promise.reject(new Error("not asked"));
  const tokenOf = async (by: typeof signer) => (await signDigest(Buffer.alloc(32), by, { room: 9999 })).signature;
  let token = await tokenOf(testSigner());
  const { evidence, timeStamp } = withEvidence({
    timeStamp: async () => token,
    fetch: { ofStamp: fetch, ofOperator: fetch },
    onMissing: (names) => missing.push(names),
    onUnstamped: () => expect.fail("each is stamped"),
    now: () => new Date(),
  });
  const stampOne = async () => timeStamp(Buffer.from("a signature"), await evidence({ ...signer, lists }));
  await stampOne();
  missing.splice(0);
  const collected = await evidence({ ...signer, lists });
  token = await tokenOf(testSigner());
  await timeStamp(Buffer.from("a signature"), collected);
  expect(missing).toEqual([["evidence for the certificate of the time stamp, which is new"]]);
  await stampOne();
  expect(missing.flat().filter((one) => one.startsWith("evidence for"))).toHaveLength(1);
});

test("without a stamp there is no evidence", async () => {
  const fetch = () => Promise.reject(new Error("not asked"));
  const { evidence } = withEvidence({
    timeStamp: async () => undefined,
    fetch: { ofStamp: fetch, ofOperator: fetch },
    onMissing: () => expect.fail("nothing is missing"),
    onUnstamped: () => expect.fail("nothing was sealed"),
    now: () => new Date(),
  });
  expect(await evidence({ ...signer, lists })).toBeUndefined();
});

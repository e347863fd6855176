import { execFileSync, spawnSync } from "node:child_process";
import { createHash, hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as yauzl from "yauzl";
import { ZipFile } from "yazl";
import { languages, tagOf } from "#lib/messages/languages.ts";
import { signatureLine } from "#lib/log/notes.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { timeStamper } from "#lib/seal/time-stamps.ts";
import { stampedValue } from "#lib/seal/verify-cms.ts";
import { hasCryptography, without } from "#tests/fixtures/pdf-programs.ts";
import { noteSigner } from "#tests/fixtures/logs.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { testSigner, pemOf, testRevocationList } from "#tests/fixtures/signer.ts";
import { hasOpenssl, openTimeStampAuthority, startTimeStampService } from "#tests/fixtures/time-stamp-service.ts";
import { checkBundle } from "#commands/check-bundle.ts";

const suite = describe.runIf(hasDatabase() && hasOpenssl);
const directory = mkdtempSync(join(tmpdir(), "sealdesk-bundle-"));
afterAll(() => rmSync(directory, { recursive: true }));

type Bundle = Map<string, Buffer>;
let count = 0;

async function read(zip: Uint8Array): Promise<Bundle> {
  const path = join(directory, `${++count}.zip`);
  writeFileSync(path, zip);
  const opened = await yauzl.openPromise(path, { lazyEntries: true });
  const files: Bundle = new Map();
  for await (const entry of opened.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await opened.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}

const sums = (files: Bundle) =>
  [...files]
    .filter(([name]) => name !== "SHA256SUMS")
    .map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`)
    .join("");

/** Writes a bundle with sums that fit, unless it has its own. */
async function write(files: [name: string, content: Buffer][]): Promise<string> {
  const archive = new ZipFile();
  for (const [name, content] of files) archive.addBuffer(content, name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  const path = join(directory, `${++count}.zip`);
  writeFileSync(path, Buffer.concat(chunks));
  return path;
}

/** Two bundles, of two companies of one installation, sealed with time stamps; the second has two documents. */
async function twoBundles() {
  const authority = openTimeStampAuthority();
  const service = await startTimeStampService((request, response) => response.end(authority.reply(request)));
  const provider = await testProvider({
    timeStamp: timeStamper([service.url], { onFailure() {} }),
  });
  const bundleOf = async (...numbers: string[]) => {
    const { admin, id } = await provider.company();
    const ids: number[] = [];
    for (const [n, number] of numbers.entries()) {
      const qr_placing = n > 0 ? "top-left:first:large" : "none";
      const { json } = await provider.issue(admin.token, { number, date: "2026-10-01", qr_placing });
      ids.push(json.id as number);
    }
    await provider.run("seals");
    await provider.run("status lists");
    await provider.run("log");
    const query = { ids: ids.join(","), proof: "1" };
    const zip = () => provider.call("getChosenSealedPdfs", { token: admin.token, query });
    const files = await read((await zip()).bytes);
    const params = { id: ids[0]! };
    await provider.call("exitDocument", { token: admin.token, params, body: {} });
    const ended = await read((await zip()).bytes);
    const key = { revoked_at: provider.clock.now.toISOString(), revoked_reason: "compromised" as const };
    await provider.db.updateTable("seal_keys").set(key).where("company_id", "=", id).execute();
    await provider.run("status lists");
    return { files, ended, revoked: await read((await zip()).bytes) };
  };
  const [one, other] = [await bundleOf("NM-1"), await bundleOf("NM-2", "It’s – 3")];
  await service.close();
  const tsa = readFileSync(authority.root);
  authority.close();
  return { one, other, tsa };
}

suite("a proof bundle", () => {
  let one: Bundle, other: Bundle, ended: Bundle, otherEnded: Bundle, revoked: Bundle, tsa: Buffer;
  let lines: string[];

  beforeAll(async () => {
    const made = await twoBundles();
    [one, other, otherEnded, tsa] = [made.one.files, made.other.files, made.other.ended, made.tsa];
    ({ ended, revoked } = made.one);
  });

  const check = async (path: string, trusted?: Parameters<typeof checkBundle>[1]) => {
    lines = [];
    const log = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    try {
      await checkBundle(path, trusted);
    } finally {
      log.mockRestore();
    }
  };

  /** A bundle that was changed, with sums that fit. */
  const changed = (changes: Record<string, Buffer | string | undefined>, from = one) => {
    const files: Bundle = new Map(from);
    for (const [name, content] of Object.entries(changes)) {
      if (content === undefined) files.delete(name);
      else files.set(name, Buffer.from(content as string));
    }
    files.set("SHA256SUMS", Buffer.from(sums(files)));
    return files;
  };
  const text = (name: string, from = one) => from.get(name)!.toString("latin1");

  test("is proved by the command, which says who sealed it, when, and that it is in force", async () => {
    await check(await write([...other]));
    expect(lines).toHaveLength(5);
    expect(lines.slice(-2)).toEqual([
      `log   ${text("log-key.txt", other).trim()}`,
      "Compare the root and the log’s key with what did not come with the bundle, or give --root and --log-key.",
    ]);
    expect(lines[0]).toMatch(
      /^NM-2.pdf {2}proved: sealed by .*time stamp of 20.*entered at 2026-.*in force at 2026-11-21T/s,
    );
    const root = join(directory, "root.pem");
    writeFileSync(root, other.get("root.pem")!);
    await check(await write([...other]), { root, logKey: text("log-key.txt", other).trim() });
    expect(lines).toHaveLength(4);
  });

  test("is not proved by another log's key, nor by a witness who has not seen it, nor without a proof then", async () => {
    const logKey = noteSigner("x/log", "log").key.text;
    const witness = noteSigner("witness.example/w1", "witness").key.text;
    const path = await write([...one]);
    await expect(check(path, { logKey })).rejects.toThrow("did not sign");
    await expect(check(path, { witnesses: [witness] })).rejects.toThrow("not seen by the witness witness.example/w1");
    await expect(check(path, { witnesses: ["w"] })).rejects.toThrow("no key of a log");
    const without = await write([...changed({ "NM-1.tlog-proof": undefined })]);
    await check(without);
    await expect(check(without, { logKey })).rejects.toThrow("NM-1.tlog-proof is missing");
  });

  test("says in each language of visitors that its instructions are in English", () => {
    const [, lines] = /<ul>([^]*?)<\/ul>/.exec(text("instructions.html"))!;
    expect([...lines!.matchAll(/<li lang="(\S+)"/g)].map(([, tag]) => tag)).toEqual(languages.map(tagOf));
  });

  test("that was made before it had revocation lists is proved all the same", async () => {
    await check(await write([...changed({ "revocation-lists.pem": undefined })]));
    expect(lines[0]).toContain("NM-1.pdf  proved");
  });

  test("says which witnesses have seen it", async () => {
    const signer = noteSigner("witness.example/w1", "witness");
    const proof = one.get("NM-1.tlog-proof")!.toString();
    const note = proof.slice(proof.indexOf("\n\n") + 2);
    const cosigned =
      proof + signatureLine(note.slice(0, note.indexOf("\n\n") + 1), signer, new Date(1_796_000_000_000));
    await check(await write([...changed({ "NM-1.tlog-proof": cosigned })]), { witnesses: [signer.key.text] });
    expect(lines[0]).toContain(", seen by witness.example/w1 at 2026-11-");
  });

  test("is not made while no secret decrypts the company's key", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const { json } = await provider.issue(admin.token, { number: "NM-1", qr_placing: "none" });
    await provider.run("seals");
    await provider.run("status lists");
    provider.services.seals.wrappingKeys = [secretKey("another secret of these tests, made by the operator")];
    const query = { ids: String(json.id), proof: "1" };
    const reply = await provider.call("getChosenSealedPdfs", { token: admin.token, query });
    expect([reply.status, reply.json.message]).toEqual([
      503,
      expect.stringContaining("ask the person who runs Sealdesk"),
    ]);
    expect(await provider.db.selectFrom("audit").where("action", "like", "%download%").selectAll().execute()).toEqual(
      [],
    );
  });

  // A namespace without a network, where that is allowed.
  const offline = spawnSync("unshare", ["-rn", "true"]).status === 0 ? ["unshare", "-rn"] : [];
  const isLacking = !hasCryptography || without("openssl") || without("pdfsig");
  test.skipIf(isLacking)("is proved by the commands of its instructions, without a network", async () => {
    const folder = mkdtempSync(join(directory, "unpacked-"));
    execFileSync("unzip", ["-q", await write([...other]), "-d", folder]);
    writeFileSync(join(folder, "tsa.pem"), tsa);
    const html = text("instructions.html", other).replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    const run = (step: string) => {
      const [, commands] = new RegExp(`<pre data-step="${step}">([^]*?)</pre`).exec(html)!;
      return execFileSync("env", [...offline, "sh", "-c", commands!], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    };
    expect(run("sums").match(/: OK$/gm)).toHaveLength(other.size - 1);
    expect(run("root")).toContain("sha256 Fingerprint=");
    expect(run("company")).toMatch(/^company-0.crt: OK\nsubject=/);
    writeFileSync(join(folder, "revocation-lists.pem"), revoked.get("revocation-lists.pem")!);
    writeFileSync(join(folder, "company.pem"), revoked.get("company.pem")!);
    expect(() => run("company"), "a list has this one").toThrow("certificate revoked");
    for (const name of ["revocation-lists.pem", "company.pem"]) writeFileSync(join(folder, name), other.get(name)!);
    expect(run("pdfsig").match(/Signature is Valid|Total document signed/g)).toHaveLength(4);
    expect(run("python").match(/in force at|: proved/g)).toHaveLength(4);
    expect(run("stamp").match(/^valid: /gm)).toHaveLength(2);
    expect(run("log").match(/^entered as no\. \d+ at 20/gm)).toHaveLength(2);
    if (!without("go")) expect(run("go-log").match(/^entered: no\. \d+ at 20/gm)).toHaveLength(2);
    if (!without("go")) expect(run("go").match(/in force at|: proved/g)).toHaveLength(4);
    writeFileSync(join(folder, "NM-2.code.txt"), other.get("It’s – 3.code.txt")!);
    expect(run("python")).toContain("NM-2.pdf: NOT PROVED");
  });

  const signer = testSigner();
  const pdf = () => text("NM-1.pdf");
  const bytes = (latin1: string) => Buffer.from(latin1, "latin1");
  const flip = (content: string, at: number) => {
    const flipped = Buffer.from(content, "latin1");
    flipped[at]! ^= 1;
    return flipped;
  };
  const list = () => text("status-list.jwt");
  const keysWith = (change: object) => {
    const { keys } = JSON.parse(text("keys.json")) as { keys: object[] };
    return JSON.stringify({ keys: [{ ...keys[0], ...change }] });
  };
  /** A PDF whose time stamp says another imprint. */
  const otherImprint = () => {
    const cms = /\/Contents <(30[0-9a-f]+)>/i.exec(pdf())![1]!;
    const at = pdf().indexOf(hash("sha256", stampedValue(Buffer.from(cms, "hex"))!.value));
    return bytes(pdf().slice(0, at) + (pdf()[at] === "0" ? "1" : "0") + pdf().slice(at + 1));
  };

  const crlPemOf = (der: Buffer) => `-----BEGIN X509 CRL-----\n${der.toString("base64")}\n-----END X509 CRL-----\n`;

  const otherIndex = () => bytes(text("NM-1.tlog-proof").replace(/^index \d+$/m, "index 0"));

  const broken: [kind: string, reason: RegExp, files: () => Bundle | [string, Buffer][]][] = [
    ["is empty", /SHA256SUMS is missing/, () => []],
    ["has a file twice", /root.pem is in it twice/, () => [...one, ["root.pem", one.get("root.pem")!]]],
    ["has a folder", /"a\/b.pdf" is in a folder/, () => changed({ "a/b.pdf": "x" })],
    ["lacks the keys", /keys.json is missing/, () => changed({ "keys.json": undefined })],
    ["lacks a PDF", /NM-1.pdf is missing/, () => new Map([...one].filter(([name]) => name !== "NM-1.pdf"))],
    ["has no PDF", /no PDF in it/, () => changed({ "NM-1.pdf": undefined })],
    ["has another file", /x is not in SHA256SUMS/, () => new Map([...one, ["x", bytes("x")]])],
    ["has a changed file", /company.pem was changed/, () => new Map([...one, ["company.pem", bytes("x")]])],
    ["has a damaged root", /root.pem has no certificate/, () => changed({ "root.pem": "root" })],
    ["has another root", /no root issued/, () => changed({ "root.pem": pemOf(signer.chain.at(-1)!) })],
    ["has another company", /no root issued/, () => changed({ "company.pem": pemOf(signer.chain[0]!) })],
    ["has damaged keys", /no JWK Set/, () => changed({ "keys.json": "{}" })],
    ["has other keys", /no certificate in company.pem/, () => changed({ "keys.json": other.get("keys.json") })],
    ["has a key under another id", /has the key x/, () => changed({ "keys.json": keysWith({ kid: "x" }) })],
    [
      "has a key that was revoked",
      /no status list by a key/,
      () => changed({ "keys.json": keysWith({ revoked_at: 1 }) }),
    ],
    ["has another list", /no status list by a key/, () => changed({ "status-list.jwt": other.get("status-list.jwt") })],
    ["has an altered list", /no status list/, () => changed({ "status-list.jwt": flip(list(), list().length - 20) })],
    ["has a PDF with a changed byte", /NM-1.pdf was changed/, () => changed({ "NM-1.pdf": flip(pdf(), 60) })],
    ["has a longer PDF", /NM-1.pdf was extended/, () => changed({ "NM-1.pdf": bytes(`${pdf()}%`) })],
    ["has a PDF without signature", /NM-1.pdf is not signed/, () => changed({ "NM-1.pdf": "%PDF-1.4" })],
    ["has another company’s PDF", /by another company/, () => changed({ "NM-1.pdf": other.get("NM-2.pdf") })],
    ["has another time stamp", /time stamp of something else/, () => changed({ "NM-1.pdf": otherImprint() })],
    ["lacks a code", /NM-1.code.txt is missing/, () => changed({ "NM-1.code.txt": undefined })],
    [
      "has a plain code",
      /without a signature/,
      () => changed({ "NM-1.code.txt": "https://sealdesk.example/v/4C7H29KD3P172XQ08" }),
    ],
    [
      "has an altered code",
      /altered/,
      () =>
        changed({
          "NM-1.code.txt": text("NM-1.code.txt").replace(/v\/(.)/, (_, first) => `v/${first === "Z" ? "Y" : "Z"}`),
        }),
    ],
    ["has another company’s code", /none of the keys/, () => changed({ "NM-1.code.txt": other.get("NM-2.code.txt") })],
    [
      "has another document’s code",
      /is of another file/,
      () => changed({ "NM-2.code.txt": other.get("It’s – 3.code.txt") }, other),
    ],
    ["has another log’s key", /did not sign/, () => changed({ "log-key.txt": noteSigner("x/log", "log").key.text })],
    ["has a damaged log key", /no key of a log/, () => changed({ "log-key.txt": "x" })],
    ["lacks the log’s key", /log-key.txt is missing/, () => changed({ "log-key.txt": undefined })],
    ["has a damaged log proof", /no log proof/, () => changed({ "NM-1.tlog-proof": "x" })],
    ["has another entry’s number", /no such entry/, () => changed({ "NM-1.tlog-proof": otherIndex() })],
    [
      "has another document’s log proof",
      /is of another document/,
      () => changed({ "NM-1.tlog-proof": other.get("NM-2.tlog-proof") }),
    ],
    ["has a file that nothing proves", /contract.PDF is none of/, () => changed({ "contract.PDF": "x" })],
    [
      "has a revocation list with its certificate",
      /by a key that was revoked/,
      () => changed({ "revocation-lists.pem": revoked.get("revocation-lists.pem") }),
    ],
    [
      "has another root’s revocation list",
      /a list that no root in root.pem signed/,
      () => changed({ "revocation-lists.pem": crlPemOf(testRevocationList(signer)) }),
    ],
    [
      "has a damaged revocation list",
      /a list that no root in root.pem signed/,
      () => changed({ "revocation-lists.pem": crlPemOf(bytes("x")) }),
    ],
    ["has a PDF by a key that was revoked", /by a key that was revoked/, () => revoked],
    ["is of a document that has ended", /not known to be in force.*“no”/, () => ended],
  ];

  test.each(broken)("that %s is refused, with the reason", async (_, reason, files) => {
    await expect(check(await write([...files()]))).rejects.toThrow(reason);
  });

  test("is refused for the document that has ended, and says that the other one is proved", async () => {
    await expect(check(await write([...otherEnded]))).rejects.toThrow(/^Not proved: NM-2.pdf is not known .*“no”$/);
    expect(lines[0]).toContain("It’s – 3.pdf  proved");
  });

  test("whose root is not trusted is refused", async () => {
    const root = join(directory, "other.pem");
    writeFileSync(root, pemOf(signer.chain.at(-1)!));
    await expect(check(await write([...one]), { root })).rejects.toThrow("no root that --root has");
  });

  test("that is no ZIP, or whose content is damaged, is refused", async () => {
    const path = await write([...one]);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -100));
    await expect(check(path)).rejects.toThrow("no ZIP");
    writeFileSync(path, flip(whole.toString("latin1"), 300));
    await expect(check(path)).rejects.toThrow(/damaged|changed/);
  });
});

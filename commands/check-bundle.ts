import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyProof } from "#lib/log/verify-proof.ts";
import { isListOf, isRevokedBy } from "#lib/seal/revocation-list.ts";
import { checkOffline, type OfflineCheck } from "#lib/seal/offline-check.ts";
import { thumbprintOf } from "#lib/seal/signed-code.ts";
import { type PublishedKey, readStatusList, type StatusList } from "#lib/seal/status-list.ts";
import { stampedAt } from "#lib/seal/time-stamps.ts";
import { stampedValue } from "#lib/seal/verify-cms.ts";
import { isBelow, verifySeal } from "#lib/seal/verify-seal.ts";
import { secondsInMs } from "#lib/units.ts";
import { CommandFailed } from "./command.ts";
import { checkSums, maxEntries, maxTextBytes, need, unpack } from "./unpack-bundle.ts";

/** Checks a proof bundle, as its own instructions do by other programs (`docs/seal-format.md`, "Proof bundles"). */

const shared = ["SHA256SUMS", "root.pem", "company.pem", "keys.json", "status-list.jwt"];

const listsFile = "revocation-lists.pem";
const optional = [listsFile, "instructions.html", "left-out.txt", "log-key.txt"];
const codeFileOf = (pdf: string) => pdf.replace(/\.pdf$/, ".code.txt");
const proofFileOf = (pdf: string) => pdf.replace(/\.pdf$/, ".tlog-proof");

/** What the verifier has from elsewhere: a file of roots, and keys as C2SP signed-note writes them. */
type Trusted = { root?: string | undefined; logKey?: string | undefined; witnesses?: string[] | undefined };

/** Checks a bundle. Prints what it proves; throws `CommandFailed` with why it does not. */
export async function checkBundle(path: string, trusted: Trusted = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sealdesk-proof-"));
  try {
    const names = await unpack(path, folder);
    for (const name of shared) need(names.includes(name), `${name} is missing`);
    await checkSums(folder, names);
    const proof = await readShared(folder, names, trusted.root);
    const pdfs = names.filter((name) => name.endsWith(".pdf"));
    need(pdfs.length > 0, "there is no PDF in it");
    const beside = pdfs.flatMap((pdf) => [pdf, codeFileOf(pdf), proofFileOf(pdf)]);
    const other = names.find((name) => ![...shared, ...optional, ...beside].includes(name));
    need(other === undefined, `${other} is none of the files of a proof bundle: nothing proves it`);
    const log = await readLogKeys(folder, names, trusted);
    const refusals: string[] = [];
    for (const pdf of pdfs) {
      await checkPdf(folder, { pdf, names, log }, proof).catch((error: unknown) => {
        if (!(error instanceof CommandFailed)) throw error;
        refusals.push(error.message);
      });
    }
    for (const root of proof.roots) console.log(`root  ${root.fingerprint256}`);
    if (log.key !== undefined) console.log(`log   ${log.key}`);
    const toCompare = [
      ...(trusted.root === undefined ? [["the root", "--root"]] : []),
      ...(log.key !== undefined && trusted.logKey === undefined ? [["the log’s key", "--log-key"]] : []),
    ];
    const [things, options] = [0, 1].map((n) => toCompare.map((each) => each[n]).join(" and "));
    if (things) console.log(`Compare ${things} with what did not come with the bundle, or give ${options}.`);
    if (refusals.length > 0) throw new CommandFailed(refusals.join("\n"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Proof = {
  roots: X509Certificate[];
  company: X509Certificate[];
  revoked: X509Certificate[];
  keys: PublishedKey[];
  list: StatusList;
};

/** What all documents share, each part checked by the one before. */
async function readShared(folder: string, names: string[], trusted: string | undefined): Promise<Proof> {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const inBundle = certificatesOf(await read("root.pem"), "root.pem");
  const trustedRoots = trusted === undefined ? inBundle : certificatesOf(await readText(trusted), trusted);
  const roots = inBundle.filter(({ raw }) => trustedRoots.some((root) => root.raw.equals(raw)));
  need(roots.length > 0, "root.pem has no root that --root has");
  const company = certificatesOf(await read("company.pem"), "company.pem");
  const beside = company.map(({ raw }) => raw);
  for (const one of company) need(isBelow(one, roots, beside), `company.pem: no root issued ${one.subject}`);
  const lists = names.includes(listsFile) ? revocationListsIn(await read(listsFile), inBundle) : [];
  const revoked = company.filter((one) =>
    lists.some(({ der, issuer }) => one.checkIssued(issuer) && isRevokedBy(der, one.raw)),
  );
  const keys = keysIn(await read("keys.json"));
  for (const key of keys) {
    const isOwn = (await thumbprintOf(key)) === key.kid && company.some((one) => hasKey(one, key));
    need(isOwn, `keys.json: no certificate in company.pem has the key ${key.kid}`);
  }
  const list = await readStatusList(await read("status-list.jwt"), keys);
  need(list, "status-list.jwt is no status list by a key in keys.json");
  return { roots, company, revoked, keys, list };
}

/** Lists as they were when the bundle was made: they end after a week, and it does not. */
function revocationListsIn(text: string, roots: X509Certificate[]) {
  const all = text.match(/(?<=-----BEGIN X509 CRL-----)[^-]+(?=-----END X509 CRL-----)/g) ?? [];
  need(all.length <= maxEntries, `${listsFile} has more than ${maxEntries} lists`);
  return all.map((base64) => {
    const der = Buffer.from(base64, "base64");
    const issuer = roots.find((root) => isListOf(der, root));
    need(issuer, `${listsFile} has a list that no root in root.pem signed`);
    return { der, issuer };
  });
}

async function readText(path: string): Promise<string> {
  need((await stat(path)).size <= maxTextBytes, `${path} is too large`);
  return readFile(path, "utf8");
}

function certificatesOf(text: string, name: string): X509Certificate[] {
  try {
    const all = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    need(all.length > 0 && all.length <= maxEntries, `${name} has no certificate`);
    return all.map((pem) => new X509Certificate(pem));
  } catch (error) {
    throw error instanceof CommandFailed ? error : new CommandFailed(`Not proved: ${name} has a damaged certificate`);
  }
}

function keysIn(text: string): PublishedKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys: PublishedKey[] };
    need(
      keys.length > 0 && keys.every((key) => [key.kid, key.x, key.y].every((value) => typeof value === "string")),
      "",
    );
    return keys;
  } catch {
    throw new CommandFailed("Not proved: keys.json is no JWK Set");
  }
}

function hasKey(certificate: X509Certificate, { kty, crv, x, y }: PublishedKey): boolean {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: "jwk" }).equals(certificate.publicKey);
  } catch {
    return false;
  }
}

const refusals: Record<Exclude<OfflineCheck["kind"], "signed">, string> = {
  "no address": "is no signed code",
  plain: "is a code without a signature",
  unreadable: "is no signed code, or a damaged one",
  "no keys": "was signed by none of the keys in keys.json",
  "unknown key": "was signed by none of the keys in keys.json",
  "other address": "was signed by none of the keys in keys.json",
  altered: "was altered, or is of another address: its signature does not fit",
  "revoked key": "was signed by a key that was revoked",
};

const seals = {
  "not signed": "is not signed",
  "not whole": "was extended: its signature does not cover all of it",
  broken: "was changed: its signature is broken",
  untrusted: "is signed by a certificate that no root in root.pem issued",
};

/** Checks a PDF, and the code beside it. */
async function checkPdf(folder: string, { pdf, names, log }: OnePdf, proof: Proof) {
  const seal = await verifySeal(join(folder, pdf), proof.roots);
  need(seal.result === "valid", `${pdf} ${seals[seal.result as keyof typeof seals]}`);
  const isOwn = proof.company.some(({ raw }) => raw.equals(seal.certificate.raw));
  need(isOwn, `${pdf} was sealed by another company: company.pem has no such certificate`);
  const key = proof.keys.find((one) => hasKey(seal.certificate, one));
  const isRevoked = proof.revoked.some(({ raw }) => raw.equals(seal.certificate.raw));
  need(key?.revoked_at === undefined && !isRevoked, `${pdf} was sealed by a key that was revoked`);
  const { value, token } = stampedValue(seal.cms) ?? {};
  const at = token && stampedAt(token, value!);
  need(!token || at, `${pdf} has a time stamp of something else, or a damaged one`);
  const codeFile = codeFileOf(pdf);
  need(names.includes(codeFile), `${codeFile} is missing`);
  const address = (await readFile(join(folder, codeFile), "utf8")).trim();
  const check = await checkOffline(address, { keys: proof.keys, lists: [proof.list] }, proof.list.madeAt);
  need(check.kind === "signed", `${codeFile} ${refusals[check.kind as keyof typeof refusals]}`);
  const { statement, inForce } = check;
  need(statement !== "newer", `${codeFile} needs a later version of this program`);
  const isOf = statement.digest && Buffer.from(statement.digest).toString("hex") === seal.digest;
  need(isOf, `${codeFile} is of another file than ${pdf}`);
  const madeAt = new Date(secondsInMs(proof.list.madeAt)).toISOString();
  need(inForce === "yes", `${pdf} is not known to be in force: status-list.jwt of ${madeAt} says “${inForce}”`);
  const entered = await checkProof(folder, { pdf, names, log }, check.code);
  const stamp = at ? `, time stamp of ${at.toISOString()}` : "";
  const subject = seal.certificate.subject.replaceAll("\n", ", ");
  console.log(`${pdf}  proved: sealed by ${subject}${stamp}${entered}; in force at ${madeAt}`);
}

const proofs = {
  "no key": "has no key of a log beside it",
  "no proof": "is no log proof",
  "not signed": "is of a checkpoint that the log's key did not sign",
  "not in the log": "proves nothing: the log has no such entry at this place",
  "another document": "is of another document",
};

type LogKeys = { key: string | undefined; witnesses: string[]; isRequired: boolean };
type OnePdf = { pdf: string; names: string[]; log: LogKeys };

/** The key of the log that counts, and of the witnesses that have to have seen its entries. */
async function readLogKeys(folder: string, names: string[], { logKey, witnesses = [] }: Trusted): Promise<LogKeys> {
  const isBeside = names.includes("log-key.txt");
  const key = logKey ?? (isBeside ? (await readFile(join(folder, "log-key.txt"), "utf8")).trim() : undefined);
  return { key, witnesses, isRequired: logKey !== undefined || witnesses.length > 0 };
}

/** Checks the log's proof of a document, if there is one or has to be. Returns what it says. */
async function checkProof(folder: string, { pdf, names, log }: OnePdf, code: string): Promise<string> {
  const proofFile = proofFileOf(pdf);
  const isThere = names.includes(proofFile);
  need(isThere || !log.isRequired, `${proofFile} is missing`);
  if (!isThere) return "; not in a log";
  need(log.key !== undefined, "log-key.txt is missing");
  const entry = verifyProof(await readFile(join(folder, proofFile), "utf8"), log.key, code, log.witnesses);
  need(entry.result === "entered", `${proofFile} ${proofs[entry.result as keyof typeof proofs]}`);
  for (const witness of log.witnesses) {
    const hasSeen = entry.seen.some(({ key }) => key.text === witness);
    need(hasSeen, `${proofFile} was not seen by the witness ${witness.split("+")[0]}`);
  }
  const seen = entry.seen.map(({ key, at }) => `, seen by ${key.name} at ${at!.toISOString()}`).join("");
  return `; entered at ${entry.enteredAt} as no. ${entry.index} of the log ${log.key.split("+")[0]}${seen}`;
}

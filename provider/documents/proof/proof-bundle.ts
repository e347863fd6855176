import { hash, X509Certificate } from "node:crypto";
import { isAmong } from "../../db/lists.ts";
import { invalid } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { documentProof } from "../../log/proofs.ts";
import { refuseWithoutKey } from "../../seal/keys/missing-key.ts";
import { operatorsRoot, publishedKeys, publishedRoots } from "../../seal/keys/public-keys.ts";
import { currentList } from "../../seal/keys/revocation-lists.ts";
import { signedAddress } from "../../seal/signed-address.ts";
import { statusListOfNow } from "../../seal/status-lists.ts";
import { copyCodes } from "../copies/copy-queries.ts";
import type { ArchivedPdf } from "../sealed-archive.ts";
import instructions from "./instructions.html?raw";

/** What proves sealed PDFs without a server, beside them in one ZIP (`docs/seal-format.md`, "Proof bundles"). */

const verifiers = import.meta.glob<string>("/lib/seal/format/verify*.{py,go}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * The texts of a bundle of these sealed PDFs of one company, with `others`, by their names. Throws 422 until the company has a
 * seal key, and 503 while no key can sign codes.
 */
export async function proofTexts(
  services: Services,
  companyId: number,
  pdfs: ArchivedPdf[],
  others: Record<string, string>,
): Promise<Record<string, string>> {
  const { db, seals } = services;
  // The published one is up to a quarter of an hour old: it may call in force what was withdrawn since.
  const token = await statusListOfNow(services, companyId).catch(refuseWithoutKey(services));
  if (!token) throw invalid({ ids: "The company has no seal key yet. Try again in some minutes" });
  const keys = await publishedKeys(services, companyId);
  const roots = [...(seals.operatorKey ? [operatorsRoot(seals.operatorKey)] : []), ...(await publishedRoots(db))];
  const texts: Record<string, string> = {
    ...others,
    "instructions.html": instructions,
    "root.pem": roots.map(({ certificate }) => certificate).join(""),
    "company.pem": await certificatesOf(services, companyId),
    "keys.json": `${JSON.stringify({ keys }, null, 2)}\n`,
    "status-list.jwt": `${token}\n`,
    "revocation-lists.pem": await revocationLists(services),
    ...(await codesOf(services, pdfs)),
    ...(await logProofsOf(services, pdfs)),
  };
  for (const [path, text] of Object.entries(verifiers)) texts[`verify/${path.split("/").at(-1)}`] = text;
  const sums = [
    ...Object.entries(texts).map(([name, text]) => [hash("sha256", text), name]),
    ...pdfs.map(({ name, sha256 }) => [sha256, name]),
  ];
  return { ...texts, SHA256SUMS: sums.map((line) => `${line.join("  ")}\n`).join("") };
}

/** The certificates of all keys by which the company has sealed, in PEM. */
async function certificatesOf({ db, seals }: Services, companyId: number): Promise<string> {
  const keys = db.selectFrom("seal_keys").where("company_id", "=", companyId).orderBy("id", "desc");
  const own = (await keys.select("certificate").execute()).map(({ certificate }) => Buffer.from(certificate, "base64"));
  const all = [...(seals.operatorKey?.chain.slice(0, -1) ?? []), ...own];
  return all.map((certificate) => new X509Certificate(certificate).toString()).join("");
}

/** The lists of revoked keys of all roots, in PEM. */
async function revocationLists(services: Services): Promise<string> {
  const texts: string[] = [];
  for (const root of await services.db.selectFrom("seal_roots").selectAll().orderBy("id").execute()) {
    const list = (await currentList(services, root))?.toString("base64").replace(/.{1,64}/g, "$&\n");
    if (list) texts.push(`-----BEGIN X509 CRL-----\n${list}-----END X509 CRL-----\n`);
  }
  return texts.join("");
}

/** The signed address of each PDF's code, as of now. */
async function codesOf(services: Services, pdfs: ArchivedPdf[]): Promise<Record<string, string>> {
  const ids = [...new Set(pdfs.map(({ id }) => id))];
  const rows = await services.db
    .selectFrom("documents")
    .where(isAmong(services.db, "id", ids))
    .selectAll()
    .execute();
  const documents = new Map(rows.map((row) => [row.id, row]));
  const texts: Record<string, string> = {};
  for (const { id, copy, name } of pdfs) {
    const document = documents.get(id)!;
    const code = (await copyCodes(services.db, document)).find(({ n }) => n === copy)!;
    const address = await signedAddress(services, document, code).catch(refuseWithoutKey(services));
    texts[name.replace(/\.pdf$/, ".code.txt")] = `${address}\n`;
  }
  return texts;
}

/** The proofs of the documents that the log has, and its key. */
async function logProofsOf(services: Services, pdfs: ArchivedPdf[]): Promise<Record<string, string>> {
  const proofs = new Map<number, Awaited<ReturnType<typeof documentProof>>>();
  const texts: Record<string, string> = {};
  for (const { id, name } of pdfs) {
    if (!proofs.has(id)) proofs.set(id, await documentProof(services, id));
    const proof = proofs.get(id);
    if (!proof) continue;
    texts[name.replace(/\.pdf$/, ".tlog-proof")] = proof.file;
    texts["log-key.txt"] = `${proof.key}\n`;
  }
  return texts;
}

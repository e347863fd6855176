import { hash, randomBytes, X509Certificate } from "node:crypto";
import { hoursInMs, minutesInMs, secondsInMs } from "../units.ts";
import type { SealSigner, TimeStamper } from "./cms.ts";
import { headOf, isListOf, listAddresses } from "./revocation-list.ts";
import { certificatesIn, signerCertificate } from "./verify-cms.ts";

/** What verifies a signature and its time stamp once nobody can be asked any more (PAdES B-LT), in DER. */
export type Evidence = { certificates: Buffer[]; revocationLists: Buffer[] };

/** Stamps a signature that covers `evidence`. */
export type EvidenceStamper = (signature: Uint8Array, evidence?: Evidence) => ReturnType<TimeStamper>;

/** Fetches what a certificate refers to; throws if it is not there, too large or too slow. */
type FetchBytes = (address: string, signal: AbortSignal) => Promise<Buffer>;

/** Longer ones are no chain. */
const maxIssuers = 6;
/** Of those for one certificate. */
const maxAddresses = 2;

/** Certificates beside the first one in any order, and lists that need not be fetched. */
type Search = { certificates: Buffer[]; lists?: Buffer[]; fetch?: (address: string) => Promise<Buffer> };

/** Collects issuers and revocation lists from a certificate up to its root. `missing` names what was not found. */
async function collect(first: Buffer, now: Date, { certificates, lists = [], fetch }: Search) {
  const others = certificates.map((der) => new X509Certificate(der));
  const chain = [new X509Certificate(first)];
  const revocationLists: Buffer[] = [];
  const missing: string[] = [];
  for (let last = chain[0]!; chain.length <= maxIssuers && !isIssuer(last, last); last = chain.at(-1)!) {
    const name = last.subject.replaceAll("\n", ", ");
    const issuer =
      others.find((other) => isIssuer(other, last)) ??
      (await fetchFirst(issuerAddresses(last), fetch, (bytes) => {
        const other = new X509Certificate(bytes);
        return isIssuer(other, last) ? other : undefined;
      }));
    if (!issuer) {
      missing.push(`the issuer of ${name}`);
      break;
    }
    chain.push(issuer);
    const goodList = (list: Buffer) => (isListOf(list, issuer, now) ? list : undefined);
    const list = lists.find(goodList) ?? (await fetchFirst(listAddresses(last), fetch, goodList));
    if (list) revocationLists.push(list);
    else missing.push(`a revocation list for ${name}`);
  }
  return { certificates: chain.map(({ raw }) => raw), revocationLists, missing };
}

const isIssuer = (issuer: X509Certificate, certificate: X509Certificate) =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** Where a certificate says that its issuer's is (RFC 5280, 4.2.2.1). */
const issuerAddresses = ({ infoAccess = "" }: X509Certificate) =>
  [...infoAccess.matchAll(/^CA Issuers - URI:(https?:.*)$/gim)].map(([, address]) => address!);

/** What `read` makes of the first bytes of which it makes something. */
async function fetchFirst<T>(addresses: string[], fetch: Search["fetch"], read: (bytes: Buffer) => T | undefined) {
  for (const address of addresses.slice(0, maxAddresses)) {
    const value = await fetch?.(address)
      .then(read)
      .catch(() => undefined);
    if (value) return value;
  }
  return undefined;
}

/** A signer, with the lists of its chain if they need not be fetched. */
export type EvidenceSigner = Pick<SealSigner, "chain"> & { lists?: (() => Promise<Buffer[]>) | undefined };
export type EvidenceSource = (signer: EvidenceSigner) => Promise<Evidence | undefined>;

type Options = {
  timeStamp: TimeStamper;
  /** For what certificates of the time-stamp service refer to, and those of an operator's key. */
  fetch: { ofStamp: FetchBytes; ofOperator: FetchBytes };
  onMissing(missing: string[], error?: unknown): void;
  onUnstamped(): void;
  now(): Date;
  /** Ends all that is fetched before a signature; by default after 10 seconds. */
  deadline?(): AbortSignal;
};

type Collected = Awaited<ReturnType<typeof collect>>;
type Failed = Collected & { error?: unknown };
const unreadable: Collected = { certificates: [], revocationLists: [], missing: ["a certificate that can be read"] };

/** Lists are fetched anew after so long, or soon after some were missing. */
const [renewedMs, retriedMs] = [hoursInMs(12), minutesInMs(10)];

/**
 * Stamps as `timeStamp` does, and collects evidence before a signature, which covers it: by the certificates of the last
 * stamp, or of one on trial. No evidence if there are no stamps.
 */
export function withEvidence({
  timeStamp,
  fetch,
  onMissing,
  onUnstamped,
  now,
  deadline = () => AbortSignal.timeout(secondsInMs(10)),
}: Options) {
  let lastToken: Buffer | undefined;
  let trial: ReturnType<TimeStamper> | undefined;
  const cache = new Map<string, { until: number; collected: Promise<Collected> }>();

  function collectOnce(first: Buffer, search: Search): Promise<Collected> {
    const key = hash("sha256", first);
    const cached = cache.get(key);
    if (cached && now().getTime() < cached.until) return cached.collected;
    // Of the operator's key and the services in use; certificates change in years.
    if (cache.size >= 10) cache.clear();
    const entry = { until: Infinity, collected: collectAnew() };
    cache.set(key, entry);
    return entry.collected;

    async function collectAnew() {
      const collected: Failed = await collect(first, now(), search).catch((error: unknown) => ({
        ...unreadable,
        error,
      }));
      const { missing, revocationLists, error } = collected;
      const ends = revocationLists.map((list) => headOf(list).until);
      entry.until = Math.min(now().getTime() + (missing.length > 0 ? retriedMs : renewedMs), ...ends);
      if (missing.length > 0) onMissing(missing, error);
      return collected;
    }
  }

  async function evidence({ chain, lists }: EvidenceSigner): Promise<Evidence | undefined> {
    lastToken ??= await (trial ??= timeStamp(randomBytes(32)).finally(() => (trial = undefined)));
    const first = lastToken && signerCertificate(lastToken);
    if (!first) return undefined;
    const signal = deadline();
    const by = (fetchBytes: FetchBytes) => (address: string) => fetchBytes(address, signal);
    const stamps = await collectOnce(first, { certificates: certificatesIn(lastToken!), fetch: by(fetch.ofStamp) });
    const own = lists
      ? await collect(chain[0]!, now(), { certificates: chain, lists: await lists() })
      : await collectOnce(chain[0]!, { certificates: chain, fetch: by(fetch.ofOperator) });
    return {
      certificates: unique([...own.certificates, ...stamps.certificates]),
      revocationLists: unique([...own.revocationLists, ...stamps.revocationLists]),
    };
  }

  const stamp: EvidenceStamper = async (signature, covered) => {
    const token = await timeStamp(signature);
    if (token) lastToken = token;
    else onUnstamped();
    const certificate = token && signerCertificate(token);
    // Only the next signature can cover evidence for a service's new certificate.
    if (covered && certificate && !covered.certificates.some((one) => one.equals(certificate)))
      onMissing(["evidence for the certificate of the time stamp, which is new"]);
    return token;
  };
  return { timeStamp: stamp, evidence };
}

const unique = (all: Buffer[]) => all.filter((one, n) => all.findIndex((other) => other.equals(one)) === n);

import { hash, randomBytes, X509Certificate } from "node:crypto";
import { hoursInMs, minutesInMs } from "../units.ts";
import type { SealSigner, TimeStamper } from "./cms.ts";
import { headOf, isListOf, listAddresses } from "./revocation-list.ts";
import { certificatesIn, signerCertificate } from "./verify-cms.ts";

/** What verifies a signature and its time stamp once nobody can be asked any more (PAdES B-LT), in DER. */
export type Evidence = { certificates: Buffer[]; revocationLists: Buffer[] };

/** Fetches what a certificate refers to; throws if it is not there, too large or too slow. */
type FetchBytes = (address: string) => Promise<Buffer>;

/** Longer ones are no chain. */
const maxIssuers = 6;
/** Of those for one certificate. */
const maxAddresses = 2;

type Search = {
  /** Certificates beside the first one, in any order. */
  certificates: Buffer[];
  /** Lists that need not be fetched. */
  lists?: Buffer[] | undefined;
  fetch?: FetchBytes | undefined;
  now: Date;
};

/** Collects issuers and revocation lists from a certificate up to its root. `missing` names what was not found. */
async function collect(first: Buffer, { certificates, lists = [], fetch, now }: Search) {
  const chain = [new X509Certificate(first)];
  const revocationLists: Buffer[] = [];
  const missing: string[] = [];
  for (let last = chain[0]!; chain.length <= maxIssuers && !isIssuer(last, last); last = chain.at(-1)!) {
    const issuer = certificates.map(read).find((other) => isIssuer(other, last)) ?? (await fetchIssuer(last, fetch));
    if (!issuer) {
      missing.push(`the issuer of ${nameOf(last)}`);
      break;
    }
    chain.push(issuer);
    const isGood = (list: Buffer) => isListOf(list, issuer, now);
    const list = lists.find(isGood) ?? (await fetchFirst(listAddresses(last), fetch, isGood));
    if (list) revocationLists.push(list);
    else missing.push(`a revocation list for ${nameOf(last)}`);
  }
  return { certificates: chain.map(({ raw }) => raw), revocationLists, missing };
}

const read = (der: Buffer) => new X509Certificate(der);
const isIssuer = (issuer: X509Certificate, { raw }: X509Certificate) => {
  const certificate = read(raw);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
};
const nameOf = ({ subject }: X509Certificate) => subject.replaceAll("\n", ", ");

/** The first that can be fetched and is good. */
async function fetchFirst(addresses: string[], fetch: FetchBytes | undefined, isGood: (bytes: Buffer) => boolean) {
  for (const address of addresses.slice(0, maxAddresses)) {
    const bytes = await fetch?.(address).catch(() => undefined);
    if (bytes && isGood(bytes)) return bytes;
  }
  return undefined;
}

/** The issuer at the address that a certificate has for it (RFC 5280, 4.2.2.1). */
async function fetchIssuer(certificate: X509Certificate, fetch: FetchBytes | undefined) {
  const access = certificate.infoAccess?.matchAll(/^CA Issuers - URI:(https?:.*)$/gim) ?? [];
  const isGood = (bytes: Buffer) => {
    try {
      return isIssuer(read(bytes), certificate);
    } catch {
      return false;
    }
  };
  const bytes = await fetchFirst(
    [...access].map(([, address]) => address!),
    fetch,
    isGood,
  );
  return bytes && read(bytes);
}

/** A signer, with the lists of its chain if they need not be fetched. */
export type EvidenceSigner = Pick<SealSigner, "chain"> & { lists?: (() => Promise<Buffer[]>) | undefined };
export type EvidenceSource = (signer: EvidenceSigner) => Promise<Evidence | undefined>;

type Options = {
  timeStamp: TimeStamper;
  /** For what certificates of the time-stamp service refer to, and those of an operator's key. */
  fetch: { ofStamp: FetchBytes; ofOperator: FetchBytes };
  onMissing(missing: string[]): void;
  now(): Date;
};

type Collected = Awaited<ReturnType<typeof collect>>;
const unreadable: Collected = { certificates: [], revocationLists: [], missing: ["a certificate that can be read"] };

/** Lists are fetched anew after so long, or soon after some were missing. */
const [renewedMs, retriedMs] = [hoursInMs(12), minutesInMs(10)];

/**
 * Stamps as `timeStamp` does, and collects evidence before a signature, which covers it: by the certificates of the last
 * stamp, or of one on trial. No evidence if there are no stamps.
 */
export function withEvidence({ timeStamp, fetch, onMissing, now }: Options) {
  let lastToken: Buffer | undefined;
  let trial: ReturnType<TimeStamper> | undefined;
  const cache = new Map<string, { until: number; collected: Promise<Collected> }>();

  function collectOnce(first: Buffer, search: Omit<Search, "now">): Promise<Collected> {
    const key = hash("sha256", first);
    const cached = cache.get(key);
    if (cached && now().getTime() < cached.until) return cached.collected;
    // Of the operator's key and the services in use; certificates change in years.
    if (cache.size >= 10) cache.clear();
    const entry = { until: Infinity, collected: collectAnew() };
    cache.set(key, entry);
    return entry.collected;

    async function collectAnew() {
      const collected = await collect(first, { ...search, now: now() }).catch(() => unreadable);
      const { missing, revocationLists } = collected;
      const ends = revocationLists.map((list) => headOf(list).until);
      entry.until = Math.min(now().getTime() + (missing.length > 0 ? retriedMs : renewedMs), ...ends);
      if (missing.length > 0) onMissing(missing);
      return collected;
    }
  }

  async function ofStamps() {
    lastToken ??= await (trial ??= timeStamp(randomBytes(32)).finally(() => (trial = undefined)));
    const first = lastToken && signerCertificate(lastToken);
    return first && collectOnce(first, { certificates: certificatesIn(lastToken!), fetch: fetch.ofStamp });
  }

  async function evidence({ chain, lists }: EvidenceSigner): Promise<Evidence | undefined> {
    const stamps = await ofStamps();
    if (!stamps) return undefined;
    const own = lists
      ? await collect(chain[0]!, { certificates: chain, lists: await lists(), now: now() })
      : await collectOnce(chain[0]!, { certificates: chain, fetch: fetch.ofOperator });
    return {
      certificates: unique([...own.certificates, ...stamps.certificates]),
      revocationLists: unique([...own.revocationLists, ...stamps.revocationLists]),
    };
  }

  return {
    timeStamp: async (signature: Uint8Array) => {
      const token = await timeStamp(signature);
      if (token) lastToken = token;
      return token;
    },
    evidence,
  };
}

const unique = (all: Buffer[]) => all.filter((one, n) => all.findIndex((other) => other.equals(one)) === n);

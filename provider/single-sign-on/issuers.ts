import { LRUCache } from "lru-cache";
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration as Client,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from "openid-client";
import { minutesInMs, minutesInSeconds, secondsInMs } from "#lib/units.ts";
import type { Services } from "../services.ts";
import type { Configuration } from "./configuration.ts";
import { AddressRefused } from "../http/public-address.ts";
import { isReachable, issuerFetch, type Reach } from "./issuer-fetch.ts";

/** Metadata of identity providers, and their clients. */

/** Shorter than the web app waits for the provider (`PROVIDER_TIMEOUT`), so that the page says what did not answer. */
const wholeMs = secondsInMs(8);
const clockToleranceSeconds = minutesInSeconds(1);

/** An answer of an identity provider that no standard allows, in the operator's words. */
export class IssuerRefused extends Error {}

type Published = { metadata: ServerMetadata; keys?: ReturnType<typeof getJwksCache> };

/** By configuration, for some minutes: companies must not see each other's. */
const published = new LRUCache<string, Published>({ max: 500, ttl: minutesInMs(10) });

const cacheKey = ({ configuredBy, issuer }: Configuration) => `${configuredBy} ${issuer}`;

type IssuerServices = Pick<Services, "singleSignOn">;

/** How a configuration's identity provider may be reached, until the sign-in has taken too long. */
const reachOf = (services: IssuerServices, { companyId }: Configuration): Reach => ({
  allowedHosts: companyId === undefined ? undefined : (services.singleSignOn?.allowedHosts ?? []),
  signal: AbortSignal.timeout(wholeMs),
});

/** A client of an identity provider, for one sign-in. Rejects as openid-client does, or with `IssuerRefused`. */
export async function connectToIssuer(services: IssuerServices, configuration: Configuration) {
  const { clientId, clientSecret } = configuration;
  const reach = reachOf(services, configuration);
  const entry = published.get(cacheKey(configuration)) ?? { metadata: await discoverOnce(configuration, reach) };
  published.set(cacheKey(configuration), entry, { noUpdateTTL: true });
  const { metadata } = entry;
  const client = new Client(
    metadata,
    clientId,
    { [clockTolerance]: clockToleranceSeconds },
    authOf(metadata, clientSecret),
  );
  client[customFetch] = issuerFetch(reach);
  client.timeout = wholeMs / secondsInMs(1);
  if (isInsecureAllowed(configuration, reach)) allowInsecureRequests(client);
  // Keys prove who signed a token; that it came by TLS is not enough for the contract of this product.
  enableNonRepudiationChecks(client);
  if (entry.keys) setJwksCache(client, entry.keys);
  return {
    client,
    metadata,
    /** Keeps the keys that were fetched for the next sign-in. */
    keepKeys: () => void (entry.keys = getJwksCache(client) ?? entry.keys),
  };
}

/** Which of the two ways of sending a secret the identity provider knows. */
function authOf({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string | undefined) {
  if (secret === undefined) return None();
  return textsIn(methods).includes("client_secret_post") ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** The texts of a list that an identity provider published; some write `null` for none. */
export const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];

/** Without HTTPS only if the operator's settings say so (`lib/config.ts`), or allow a company's host. */
const isInsecureAllowed = ({ issuer, companyId }: Configuration, { allowedHosts = [] }: Reach) =>
  new URL(issuer).protocol === "http:" && (companyId === undefined || isReachable(new URL(issuer), allowedHosts));

const discoveries = new Map<string, Promise<ServerMetadata>>();

/** Strangers who begin sign-ins while an identity provider hangs wait for one answer together. */
function discoverOnce(configuration: Configuration, reach: Reach): Promise<ServerMetadata> {
  const key = cacheKey(configuration);
  const running = discoveries.get(key) ?? discover(configuration, reach).finally(() => discoveries.delete(key));
  discoveries.set(key, running);
  return running;
}

async function discover(configuration: Configuration, reach: Reach): Promise<ServerMetadata> {
  const url = new URL(configuration.issuer);
  if (reach.allowedHosts && !isReachable(url, reach.allowedHosts)) {
    throw new AddressRefused(`${url.host} is not a public address with HTTPS`);
  }
  const client = await discovery(url, configuration.clientId, undefined, None(), {
    [customFetch]: issuerFetch(reach),
    timeout: wholeMs / secondsInMs(1),
    execute: isInsecureAllowed(configuration, reach) ? [allowInsecureRequests] : [],
  });
  const metadata = { ...client.serverMetadata() } as ServerMetadata;
  // Some identity providers stand for all of their customers at one address, where users of any customer could sign in.
  if (URL.parse(metadata.issuer)?.href !== url.href)
    throw new IssuerRefused(`it names another issuer: ${metadata.issuer}`);
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
  for (const [name, address] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
    if (!isAddress(address)) throw new IssuerRefused(`it names no ${name}`);
    const isOpen = address.startsWith("http:") && !isInsecureAllowed(configuration, reach);
    if (isOpen) throw new IssuerRefused(`its ${name} is without HTTPS`);
  }
  return metadata;
}

/** Hosts may have no characters that mean something in a header. */
export const isAddress = (address: unknown): address is string =>
  typeof address === "string" && /^https?:\/\/[\w.:[\]-]+$/.test(URL.parse(address)?.origin ?? "");

/** Whether an identity provider answers as one. Rejects as `connectToIssuer`. */
export async function requireIssuer(services: IssuerServices, configuration: Configuration): Promise<void> {
  published.delete(cacheKey(configuration));
  await connectToIssuer(services, configuration);
}

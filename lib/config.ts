import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { z } from "zod";
import { settings } from "./settings.ts";

/**
 * All settings, read once and checked at start (`lib/settings.ts`). A lint rule forbids other files to read
 * `process.env`.
 */

// The database driver crashes older versions without a message, so every start checks this first.
if (Number(process.versions.node.split(".")[0]) < 24) {
  const [, path = "", ...options] = process.argv;
  const command = ["npx", path.split("/.bin/")[1] ?? `node ${path}`, ...options].join(" ");
  console.error(`Sealdesk needs Node 24, which npm ci installs; this is ${process.versions.node}. Use: ${command}`);
  process.exit(1);
}

/** The process's environment, to start other programs with. */
export const environment = process.env;

const loopbackHosts = ["localhost", "127.0.0.1", "::1", "[::1]"];
export const isLoopback = (host: string) => loopbackHosts.includes(host);

/** The checked configuration. URLs have no trailing slash, `DATA_DIR` is absolute. */
export type Config = Omit<z.output<typeof settings>, "PUBLIC_URL" | "SESSION_SECRET" | "SEAL_SECRET"> & {
  PUBLIC_URL: string;
  /** The first signs, all verify. */
  SESSION_SECRET: Secrets;
  /** The first encrypts seal keys, all decrypt. Empty in front of another provider, which has its own. */
  SEAL_SECRET: string[];
};

type Secrets = [string, ...string[]];

/** Invalid settings: one line each, with name and reason. */
export class ConfigError extends Error {}

/** Reads and checks `variables` (`NAME`, or a file's content by `NAME_FILE`). Throws `ConfigError`. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(settings.shape)) {
    // react-router-serve reads PORT itself.
    const file = name === "PORT" ? undefined : variables[`${name}_FILE`];
    const value = file ? readSettingFile(`${name}_FILE`, file) : variables[name];
    if (value) texts[name] = value.trim();
  }
  const parsed = settings.safeParse(texts);
  if (!parsed.success) {
    throw new ConfigError(reasonsOf(parsed.error.issues).join("\n"));
  }
  const values = parsed.data;
  checkBucket(values);
  checkToken(values);
  checkIssuer(values);
  checkSyslog(values);
  const isOpen = values.BACKUP_TO?.startsWith("s3:") && values.BACKUP_RECIPIENTS.length === 0;
  if (isOpen) throw new ConfigError("BACKUP_RECIPIENTS: required with a bucket in BACKUP_TO");
  if (values.WORKER === "off" && !values.DATABASE_URL) throw new ConfigError("WORKER: off only with DATABASE_URL");
  const dataDirectory = resolve(values.DATA_DIR);
  return {
    ...values,
    DATA_DIR: dataDirectory,
    PUBLIC_URL: publicUrl(values),
    PROVIDER_URL: values.PROVIDER_URL?.replace(/\/+$/, ""),
    SESSION_SECRET: values.SESSION_SECRET ?? [storedSecret("SESSION_SECRET", values, dataDirectory)],
    SEAL_SECRET:
      values.SEAL_SECRET ?? (values.PROVIDER_URL ? [] : [storedSecret("SEAL_SECRET", values, dataDirectory)]),
  };
}

/** One line for each cause: its setting, the places in a list that have it, and the reason. */
function reasonsOf(issues: z.core.$ZodIssue[]) {
  const causes = new Map<string, { name: string; message: string; places: number[] }>();
  const seen = new Set<string>();
  for (const { path, message } of issues) {
    const [name, place] = path as [string, number?];
    // A short secret is also too easily guessed.
    if (seen.size === seen.add(path.join(".")).size) continue;
    const cause = causes.get(`${name}: ${message}`) ?? { name, message, places: [] };
    causes.set(`${name}: ${message}`, cause);
    if (place !== undefined) cause.places.push(place + 1);
  }
  return Array.from(causes.values(), ({ name, message, places }) => {
    const isFirst = places.length === 0 || (places.length === 1 && places[0] === 1);
    return isFirst
      ? `${name}: ${message}`
      : `${name}: number ${places.toSorted((a, b) => a - b).join(", ")} of the list: ${message}`;
  });
}

function readSettingFile(name: string, path: string) {
  let content;
  try {
    content = readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`${name}: the file can't be read`);
  }
  if (!content.trim()) throw new ConfigError(`${name}: the file is empty`);
  return content;
}

function publicUrl({ PUBLIC_URL, ALLOW_HTTP, HOST, PORT }: z.output<typeof settings>) {
  if (!PUBLIC_URL) {
    if (isLoopback(HOST)) return `http://localhost:${PORT}`;
    throw new ConfigError("PUBLIC_URL: required when HOST is not the loopback address, because QR codes carry it");
  }
  const url = new URL(PUBLIC_URL);
  if (url.protocol === "http:" && !ALLOW_HTTP && !isLoopback(url.hostname)) {
    throw new ConfigError("PUBLIC_URL: must begin with https:// (ALLOW_HTTP=1 accepts http, for tests only)");
  }
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    throw new ConfigError("PUBLIC_URL: must be an origin alone, without a path");
  }
  return url.origin;
}

function checkBucket(values: z.output<typeof settings>) {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
  if (!S3_BUCKET && (S3_ENDPOINT || S3_ACCESS_KEY_ID || S3_SECRET_ACCESS_KEY)) {
    throw new ConfigError("S3_BUCKET: required with the other settings of S3");
  }
  if (Boolean(S3_ACCESS_KEY_ID) !== Boolean(S3_SECRET_ACCESS_KEY)) {
    throw new ConfigError("S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: give both, or neither where the machine has a role");
  }
}

const tokenSettings = [
  "SEAL_TOKEN_MODULE",
  "SEAL_TOKEN_LABEL",
  "SEAL_TOKEN_KEY",
  "SEAL_TOKEN_PIN",
  "SEAL_TOKEN_CERTIFICATES",
] as const;

function checkToken(values: z.output<typeof settings>) {
  const missing = tokenSettings.filter((name) => values[name] === undefined);
  if (missing.length === tokenSettings.length) return;
  if (missing.length > 0) throw new ConfigError(`${missing.join(", ")}: required with the other settings of a token`);
  if (values.SEAL_KEY) throw new ConfigError("SEAL_KEY, SEAL_TOKEN_MODULE: give a key in a file or one on a token");
}

/** The settings that belong to the operator's identity provider. */
const issuerSettings = [
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_GROUPS_CLAIM",
  "OIDC_COMPANY",
  "OIDC_ONLY",
] as const;

function checkIssuer(values: z.output<typeof settings>) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, PROVIDER_URL, ALLOW_HTTP } = values;
  if (!OIDC_ISSUER) {
    const alone = issuerSettings.find((name) => values[name]);
    if (alone) throw new ConfigError(`OIDC_ISSUER: required with ${alone}`);
    return;
  }
  if (PROVIDER_URL) throw new ConfigError("OIDC_ISSUER: not with PROVIDER_URL, as users sign in at that provider");
  if (!OIDC_CLIENT_ID) throw new ConfigError("OIDC_CLIENT_ID: required with OIDC_ISSUER");
  const { protocol, hostname } = new URL(OIDC_ISSUER);
  if (protocol === "http:" && !ALLOW_HTTP && !isLoopback(hostname)) {
    throw new ConfigError("OIDC_ISSUER: must begin with https:// (ALLOW_HTTP=1 accepts http, for tests only)");
  }
}

function checkSyslog({ AUDIT_SYSLOG, AUDIT_SYSLOG_CERT, AUDIT_SYSLOG_KEY, PROVIDER_URL }: z.output<typeof settings>) {
  const isPair = Boolean(AUDIT_SYSLOG_CERT) === Boolean(AUDIT_SYSLOG_KEY);
  if (!isPair) throw new ConfigError("AUDIT_SYSLOG_CERT, AUDIT_SYSLOG_KEY: give both or neither");
  if (AUDIT_SYSLOG && PROVIDER_URL) throw new ConfigError("AUDIT_SYSLOG: not with PROVIDER_URL, which has the trail");
}

/** The token with the key that seals, for programs that get none of our settings; undefined without one. */
export const tokenOf = (values: Config) =>
  values.SEAL_TOKEN_MODULE
    ? {
        module: values.SEAL_TOKEN_MODULE,
        label: values.SEAL_TOKEN_LABEL!,
        key: values.SEAL_TOKEN_KEY!,
        pin: values.SEAL_TOKEN_PIN!,
        certificates: values.SEAL_TOKEN_CERTIFICATES!,
        environment: withoutSettings(environment),
      }
    : undefined;

const withoutSettings = (variables: typeof environment) =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => !Object.hasOwn(settings.shape, name.replace(/_FILE$/, ""))),
  );

/** The bucket that stores files; undefined if `DATA_DIR` does. */
export const bucketOf = (values: Config) =>
  values.S3_BUCKET
    ? {
        name: values.S3_BUCKET,
        endpoint: values.S3_ENDPOINT,
        region: values.S3_REGION,
        accessKeyId: values.S3_ACCESS_KEY_ID,
        secretAccessKey: values.S3_SECRET_ACCESS_KEY,
      }
    : undefined;

/** The files of secrets in `DATA_DIR`, and what removing one means. */
const secretFiles = {
  SESSION_SECRET: { name: "session-secret", remedy: "remove it, and everybody signs in again" },
  SEAL_SECRET: { name: "seal-secret", remedy: "copy it back, or remove it and make new seal keys" },
};

/** Reads or creates a secret in `DATA_DIR`. Several machines must be given the same one. */
function storedSecret(
  setting: keyof typeof secretFiles,
  { DATABASE_URL }: { DATABASE_URL?: string | undefined },
  directory: string,
) {
  if (DATABASE_URL) throw new ConfigError(`${setting}: required with DATABASE_URL, the same on every machine`);
  const { name, remedy } = secretFiles[setting];
  const file = join(directory, name);
  if (existsSync(file)) {
    const stored = readFileSync(file, "utf8").trim();
    // A full disk may have cut it short.
    if (stored.length >= 32) return stored;
    throw new ConfigError(`${setting}: ${file} is damaged: ${remedy}`);
  }
  const secret = randomBytes(32).toString("hex");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  } catch (error) {
    throw new ConfigError(`DATA_DIR: nothing can be written there (${(error as Error).message})`);
  }
  return secret;
}

let current: Config | undefined;

/** The configuration of this process. Exits with the reasons if a setting is invalid. */
export function config(): Config {
  try {
    // Other users of the machine must not read what this process writes.
    if (isMainThread) process.umask(0o077);
    return (current ??= readConfig(environment));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const event = { level: 60, time: new Date(), msg: `Sealdesk can't start:\n${error.message}` };
    console.error(process.stderr.isTTY ? event.msg : JSON.stringify(event));
    process.exit(1);
  }
}

import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { Cron } from "croner";
import { z } from "zod";

/** All settings with their rules, and descriptions for operators (`docs/reference.md`). */

/** Words of examples and other obvious secrets. */
const obviousSecret =
  /(my|our|your|the|some|top|super).?secret|^secret|secret.?key|passw|change.?me|replace|example|sealdesk|token|0123456789|abcdefgh|qwerty/i;

/** A secret of at least `length` characters, without obvious words or repetitions. */
function secret(length: number) {
  const advice = `for example from: openssl rand -hex ${length}`;
  return z
    .string()
    .min(length, `give at least ${length} characters, ${advice}`)
    .refine(
      (text) => new Set(text).size >= 8 && !/^(.+)\1+$/.test(text) && !obviousSecret.test(text),
      `this is too easily guessed: give random characters, ${advice}`,
    );
}

const maxSecrets = 5;

/** Secrets of at least `length` characters, which may contain spaces, one a line. */
const secrets = (length: number) =>
  z
    .string()
    .transform((text) => {
      // Earlier versions separated by commas and white space: each part of such a list is a secret by itself.
      const parts = text.split(/[\s,]+/).filter(Boolean);
      if (parts.length > 1 && parts.every((part) => part.length >= length)) return parts;
      return text.split(/\s*[\r\n]\s*/).filter(Boolean);
    })
    .pipe(
      z.tuple([secret(length)], secret(length)).refine((list) => list.length <= maxSecrets, {
        error: `give ${maxSecrets} secrets at most`,
      }),
    );

function whole(min: number, max: number) {
  const error = `give a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}

/** In MB: twice what readiness requires (`app/server/process/readiness.ts`), which leaves some for page images. */
const minReserve = 512;

/** Where people write to: a mail address or a page. */
const contact = (example: string) =>
  z
    .string()
    .regex(
      /^(mailto:[^\s@?]+@[^\s@?]+|https:\/\/[^\s/]+(\/\S*)?)$/i,
      `give an address like mailto:${example} or https://sealdesk.example/${example.split("@")[0]}`,
    )
    .refine((address) => URL.canParse(address), "give an address that browsers can read");

/** Addresses (http, https), separated by commas or white space. */
const addresses = (max: number, example: string) =>
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(
      z
        .array(z.url({ protocol: /^https?$/, error: `give addresses like ${example}, separated by commas` }))
        .max(max, `give ${max} addresses at most`),
    );

/** Hosts, with or without a port, separated by commas or white space, in lower case. */
const hosts = (max: number, error: string) =>
  z
    .string()
    .toLowerCase()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().refine(isHost, error)).max(max, `give ${max} hosts at most`))
    .default([]);

const place = z.string().refine((text) => isAbsolute(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[^\s]*)?$/.test(text), {
  error: "give the whole path of a folder, or s3://bucket/prefix",
});

const witnessForm = "give a key and an address like witness.example+1a2b3c4d+BASE64 https://witness.example";

export const settings = z.object({
  PORT: whole(1, 65535).default(3000).describe("port to listen on"),
  HOST: z.string().default("127.0.0.1").describe("address to listen on"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "give an address like https://sealdesk.example" })
    .optional()
    .describe("address for browsers and in QR codes; required, with https, unless HOST is a loopback address"),
  FORMER_URLS: addresses(10, "https://old.example")
    .transform((urls) => urls.map((url) => new URL(url).origin))
    .default([])
    .describe("earlier values of PUBLIC_URL, separated by commas: codes that were signed for them stay genuine"),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().refine(isAddress, "give addresses like 192.0.2.53 or 192.0.2.53:5353")).max(5))
    .default([])
    .describe("name servers that prove companies' own hosts, by default the machine's; best ones that verify DNSSEC"),
  ALLOW_HTTP: z
    .stringbool()
    .default(false)
    .describe("1 accepts a PUBLIC_URL without TLS, for trials in a closed network"),
  SESSION_SECRET: secrets(32)
    .optional()
    .describe(
      "up to five secrets of 32 characters or more, one a line: the first signs cookies, all verify; generated in DATA_DIR, required with DATABASE_URL",
    ),
  SEAL_SECRET: secrets(32)
    .optional()
    .describe("likewise for private seal keys and other stored secrets: the first encrypts, all decrypt"),
  SEAL_KEY: z
    .string()
    .optional()
    .describe("a key of your own for sealed PDFs: PEM with the key and its certificates, from SEAL_KEY_FILE"),
  SEAL_KEY_PASSPHRASE: z
    .string()
    .max(1024, "give at most 1024 characters")
    .optional()
    .describe("passphrase of SEAL_KEY, if it is encrypted"),
  SEAL_TOKEN_MODULE: z
    .string()
    .refine(isAbsolute, "give the whole path of the maker's module, such as /usr/lib/softhsm/libsofthsm2.so")
    .optional()
    .describe("instead of SEAL_KEY, a key on a PKCS #11 token: path of its module"),
  SEAL_TOKEN_LABEL: z
    .string()
    .max(32, "give at most 32 characters")
    .optional()
    .describe("label of the token, as pkcs11-tool --module MODULE -L shows it"),
  SEAL_TOKEN_KEY: z
    .string()
    .max(255, "give at most 255 characters")
    .optional()
    .describe("label of the key on the token, or its ID in hexadecimal"),
  SEAL_TOKEN_PIN: z.string().max(255, "give at most 255 characters").optional().describe("PIN of the token's user"),
  SEAL_TOKEN_CERTIFICATES: z
    .string()
    .max(200_000, "the file is too long for a key's certificates")
    .optional()
    .describe("PEM with the key's certificate and those above it, in any order"),
  DATA_DIR: z.string().default("data").describe("folder for database, files and, without SMTP_URL, messages"),
  PROVIDER_URL: z
    .url({ protocol: /^https?$/, error: "give an address like https://provider.example" })
    .optional()
    .describe("host of another provider, which then answers instead of the embedded one"),
  PROVIDER_TIMEOUT: z.coerce
    .number()
    .min(0.1)
    .max(600)
    .default(10)
    .describe("seconds that a call to the provider may take"),
  PROVIDER_FILE_TIMEOUT: z.coerce.number().min(0.1).max(3600).default(120).describe("the same for calls with files"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "give an address like postgres://user:password@host/database" })
    .optional()
    .describe("PostgreSQL instead of SQLite: postgres://user:password@host/database"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "give an address like smtps://user:password@host" })
    .optional()
    .describe("mail server; without it, messages are written to DATA_DIR/outbox"),
  MAIL_FROM: z.string().default("Sealdesk <sealdesk@localhost>").describe("sender of messages"),
  S3_BUCKET: z.string().optional().describe("bucket that stores files instead of DATA_DIR"),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "give an address like https://s3.example" })
    .optional()
    .describe("address of the S3 server; without it Amazon's"),
  S3_REGION: z.string().default("us-east-1").describe("region of the bucket"),
  S3_ACCESS_KEY_ID: z.string().optional().describe("access key of the bucket; without it the machine's role"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe("secret of that key"),
  TSA_URL: addresses(3, "https://tsa.example")
    .default([])
    .describe(
      "time-stamp services (RFC 3161) for sealed PDFs, 3 at most, separated by commas: if one fails, the next is asked",
    ),
  WITNESSES: z
    .string()
    .transform((text) => text.split(/\s*[,\r\n]\s*/).filter(Boolean))
    .pipe(
      z
        .array(
          z
            .string()
            .regex(/^\S+ https?:\/\/[^\s/?#]+[^\s?#]*$/, witnessForm)
            .refine((text) => URL.canParse(text.split(" ")[1]!), witnessForm)
            .transform((text) => ({ key: text.split(" ")[0]!, url: text.split(" ")[1]!.replace(/\/+$/, "") })),
        )
        .max(10, "give 10 witnesses at most"),
    )
    .default([])
    .describe("witnesses that cosign the log, separated by commas: each its key, a space and its address"),
  WEBHOOK_ALLOWED_HOSTS: hosts(
    50,
    "give hosts like hooks.internal or 10.0.0.5:8080, without https:// and without paths",
  ).describe("hosts that webhooks may address although they are private or without TLS"),
  TILE_URL: z
    .string()
    .refine(isTileUrl, "give an address like https://tiles.example/{z}/{x}/{y}.png, or off")
    .default("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
    .describe("map tiles for browsers of staff; off draws maps without a tile server"),
  TILE_ATTRIBUTION: z
    .string()
    .default("© OpenStreetMap contributors")
    .describe("attribution that the tile server requires"),
  TRUSTED_PROXIES: whole(0, 10).default(0).describe("number of your proxies in front; each appends to X-Forwarded-For"),
  DRAFTS_PER_USER: whole(1, 100).default(20).describe("drafts of a user"),
  DRAFT_MB_PER_USER: whole(1, 1_000_000).default(1000).describe("MB of page files in a user's drafts"),
  STORAGE_GB_PER_COMPANY: z.coerce
    .number("give a number, or 0 for no limit")
    .min(0)
    .max(1_000_000)
    .default(100)
    .describe("GB of a company's documents, with thumbnails and sealed PDFs; 0 is no limit"),
  INVITATIONS_PER_DAY: whole(1, 100_000)
    .default(200)
    .describe("invitations that a user may send a day, a quarter of them an hour; a company 2.5 times as many"),
  DISK_RESERVE_MB: whole(0, 100_000_000)
    .refine((megabytes) => megabytes === 0 || megabytes >= minReserve, `give 0 for none, or ${minReserve} or more`)
    .default(1024)
    .describe("MB of the disk that uploads leave free, 512 or more; 0 is none"),
  AUDIT_DAYS: whole(0, 36_500).default(0).describe("days that changes stay in the audit trail; 0 is for ever"),
  AUDIT_ACCESS_DAYS: whole(0, 36_500).default(365).describe("the same for sign-ins, refusals, exports and downloads"),
  AUDIT_SYSLOG: z
    .string()
    .toLowerCase()
    .refine(isHost, "give a host like logs.example or logs.example:6514")
    .optional()
    .describe("syslog server for the audit trail of all companies, over TLS: host or host:port"),
  AUDIT_SYSLOG_CA: z.string().optional().describe("PEM of its authority"),
  AUDIT_SYSLOG_CERT: z.string().optional().describe("PEM of our certificate"),
  AUDIT_SYSLOG_KEY: z.string().optional().describe("its key"),
  SCAN_DAYS: whole(0, 36_500)
    // Alerts are raised, previewed and counted from these.
    .refine((days) => days === 0 || days >= 90, "give 0 for ever, or 90 or more")
    .default(0)
    .describe("days that scans are stored, 90 or more; 0 is for ever. PostgreSQL drops whole months"),
  METRICS_TOKEN: secret(16)
    .optional()
    .describe("bearer token for /metrics, 16 characters or more; without it /metrics is 404"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "give an address like https://collector.example:4318" })
    .optional()
    .describe("collector of traces; OpenTelemetry's other variables hold too"),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional().describe("its headers: name=value,name=value"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe("share of traces"),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "give an address like https://login.example" })
    .optional()
    .describe("single sign-on at your identity provider by OpenID Connect: its issuer"),
  OIDC_CLIENT_ID: z.string().max(500, "give at most 500 characters").optional().describe("client there"),
  OIDC_CLIENT_SECRET: z.string().max(1000, "give at most 1000 characters").optional().describe("secret of that client"),
  OIDC_GROUPS_CLAIM: z
    .string()
    .max(200, "give at most 200 characters")
    .optional()
    .describe("claim with a user's groups, which access groups name: it creates users, and its end removes them"),
  OIDC_COMPANY: whole(1, 2 ** 31 - 1)
    .optional()
    .describe("id of the company for users that the claim creates, if there are several companies"),
  OIDC_ONLY: z.stringbool().default(false).describe("1 switches passwords off, for pages and POST /api/login"),
  OIDC_ALLOWED_HOSTS: hosts(20, "give hosts like login.internal:8443").describe(
    "hosts that companies may name as identity providers although they are private, such as login.internal:8443",
  ),
  CONTACT: contact("sales@sealdesk.example")
    .optional()
    .describe(
      "mailto:… or https://…: where to ask about plans, shown on the tariffs page; with SMTP_URL by default MAIL_FROM",
    ),
  SECURITY_CONTACT: contact("security@sealdesk.example")
    .optional()
    .describe("mailto:… or https://…: where to report vulnerabilities, at /.well-known/security.txt"),
  WORKER: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: this process runs no jobs; on PostgreSQL, if a worker runs apart"),
  FIRST_PAINT: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: pages are React Router's plain output, 0.3 s later at a first visit on a slow line"),
  BACKUP_TO: place.optional().describe("place for backups: a folder, or s3://bucket/prefix"),
  BACKUP_RECIPIENTS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(
      z
        .array(z.string().regex(/^age1[0-9a-z]+$/, "give public keys of age, which begin with age1"))
        .max(10, "give 10 public keys at most"),
    )
    .default([])
    .describe("public keys that encrypt backups; required with a bucket"),
  BACKUP_SCHEDULE: z
    .string()
    .refine(isSchedule, "give a cron pattern like 30 1 * * *, or off")
    .default("30 1 * * *")
    .describe("cron pattern in UTC, or off; a missed backup is made within the hour"),
  BACKUP_KEEP: whole(1, 10_000).default(14).describe("backups of PUBLIC_URL kept there"),
  BACKUP_MAX_HOURS: whole(1, 10_000).default(26).describe("age at which /readyz calls the last good backup degraded"),
  BACKUP_PING_URL: z
    .url({ protocol: /^https?$/, error: "give an address like https://hc.example/ping/id" })
    .optional()
    .describe("requested after each good backup"),
  BACKUP_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "give an address like https://s3.example" })
    .optional()
    .describe("S3 server of BACKUP_TO and COPY_TO, by default the store's"),
  BACKUP_S3_REGION: z.string().optional().describe("its region"),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional().describe("its access key"),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional().describe("its secret"),
  COPY_TO: place.optional().describe("place to which Litestream or archive_command copies the database: likewise"),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("least level of events that are logged"),
});

function isSchedule(pattern: string) {
  try {
    return pattern === "off" || new Cron(pattern, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** Whether it is a host as addresses have it, with or without a port. */
function isHost(value: string) {
  const url = URL.parse(`http://${value}`);
  return url !== null && !value.includes("*") && (url.host === value || `${url.host}:80` === value);
}

/** Whether it is an IP address, with or without a port. */
function isAddress(value: string) {
  const [, address = value, port = "53"] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(isIP(value) ? "" : value) ?? [];
  return isIP(address) !== 0 && Number(port) > 0 && Number(port) < 65_536;
}

/** Whether it is a URL of map tiles with one fixed host, or `off`. */
function isTileUrl(value: string) {
  if (value === "off") return true;
  const url = URL.parse(value);
  const parts = ["{z}", "{x}", "{y}"];
  const others = value.replace(/\{[xyz]\}/g, "");
  return (
    /^https?:$/.test(url?.protocol ?? "") &&
    !/[{}]/.test(url!.host + others) &&
    parts.every((part) => value.includes(part))
  );
}

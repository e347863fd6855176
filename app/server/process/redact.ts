import { config } from "#lib/config.ts";

// Messages of errors may quote a URL with a token, an email address or a row.
const patterns: [RegExp, string][] = [
  [/\b(token=)[^&\s"'<>]+/gi, "$1…"],
  [/\b(Bearer )\S+/gi, "$1…"],
  [/\b(sd_live_)\w+/gi, "$1…"],
  [/([?&](?:code|state)=)[^&\s"'<>]+/gi, "$1…"],
  // Companies' sign-in addresses; documents' codes, in URLs and elsewhere.
  [/(\/v|\/verify|\/calendar|\/login\/at|\/sso\/return)\/[^/?#\s"']{17,}/gi, "$1/…"],
  // Signed codes' digits, wherever they stand.
  [/\d{30,}/g, "…"],
  [/\b(?:[0-9A-HJKMNP-TV-Z]{4}-?){4}[0-9A-HJKMNP-TV-Z]\b/g, "…"],
  // Credentials in URLs; email addresses.
  [/(:\/\/)[^/\s@]*@/g, "$1…@"],
  [/[\w.%+-]+(@[\w-]+(?:\.[\w-]+)+)/g, "…$1"],
];

const {
  SESSION_SECRET,
  SEAL_SECRET,
  SEAL_KEY_PASSPHRASE,
  METRICS_TOKEN,
  OIDC_CLIENT_SECRET,
  S3_SECRET_ACCESS_KEY,
  BACKUP_S3_SECRET_ACCESS_KEY,
  BACKUP_PING_URL,
  DATABASE_URL,
  SMTP_URL,
  OTEL_EXPORTER_OTLP_HEADERS = "",
} = config();
const passwords = [DATABASE_URL, SMTP_URL].flatMap((url) => (url ? [new URL(url).password] : []));
const headerValues = OTEL_EXPORTER_OTLP_HEADERS.split(",").map((header) => header.slice(header.indexOf("=") + 1));
/** Shorter ones would redact words. */
const secrets = [
  ...SESSION_SECRET,
  ...SEAL_SECRET,
  SEAL_KEY_PASSPHRASE,
  METRICS_TOKEN,
  OIDC_CLIENT_SECRET,
  S3_SECRET_ACCESS_KEY,
  BACKUP_S3_SECRET_ACCESS_KEY,
  BACKUP_PING_URL,
  ...[...passwords, ...headerValues].flatMap((password) => [password, decoded(password)]),
].filter((secret) => secret && secret.length >= 8) as string[];

/** Malformed encodings are taken literally, as drivers do. */
function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactText(text: string): string {
  const withoutSecrets = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), withoutSecrets);
}

const loggedProperties = [
  "code",
  "syscall",
  "address",
  "port",
  "status",
  "responseCode",
  "severity",
  "table",
  "constraint",
];

const maxDepth = 4;

export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return "…";
  const next = (inner: unknown) => redact(inner, depth + 1);
  if (Array.isArray(value)) return value.map(next);
  if (!(value instanceof Error)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, next(inner)]));
  }
  const { name, message, stack, cause } = value;
  const more = Object.entries(value).filter(([property]) => loggedProperties.includes(property));
  return {
    type: name,
    message: redactText(message),
    stack: stack && redactText(stack),
    ...(next(Object.fromEntries(more)) as object),
    ...(cause !== undefined && { cause: next(cause) }),
    ...(value instanceof AggregateError && { errors: next(value.errors.slice(0, 3)) }),
  };
}

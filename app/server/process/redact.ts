import { config } from "#config";

/**
 * What may go to the log of what errors bring along. Their messages may quote an address with a token in it, a refused
 * email, or the row that was to be written; of their other properties only those are taken that name causes.
 */

const patterns: [RegExp, string][] = [
  [/\b(token=)[^&\s"'<>]+/gi, "$1…"],
  [/\b(Bearer )\S+/gi, "$1…"],
  // Documents' codes: in an address as they are written there, elsewhere as they are kept or printed.
  [/(\/v|\/verify)\/[^/?#\s"']{17,}/gi, "$1/…"],
  [/\b(?:[0-9A-HJKMNP-TV-Z]{4}-?){4}[0-9A-HJKMNP-TV-Z]\b/g, "…"],
  // Names and passwords of servers; people's addresses.
  [/(:\/\/)[^/\s@]*@/g, "$1…@"],
  [/[\w.%+-]+(@[\w-]+(?:\.[\w-]+)+)/g, "…$1"],
];

const { SESSION_SECRET, METRICS_TOKEN, S3_SECRET_ACCESS_KEY, DATABASE_URL, SMTP_URL } = config();
const passwords = [DATABASE_URL, SMTP_URL].flatMap((url) => (url ? [new URL(url).password] : []));
/** Shorter ones would blot out words. */
const secrets = [
  ...SESSION_SECRET,
  METRICS_TOKEN,
  S3_SECRET_ACCESS_KEY,
  ...passwords.flatMap((password) => [password, decoded(password)]),
].filter((secret) => secret && secret.length >= 8) as string[];

/** What is no encoding is meant as it is, as mail servers' drivers have it too. */
function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactText(text: string): string {
  const withoutSecrets = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return patterns.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), withoutSecrets);
}

/** What errors of the system, the databases and mail servers say beside their message. */
const told = ["code", "syscall", "address", "port", "status", "responseCode", "severity", "table", "constraint"];

/** How far causes are followed. */
const deepest = 4;

/** A value as it may be logged: errors with message, stack and causes, everything else as it is; all texts redacted. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "…";
  const next = (inner: unknown) => redact(inner, depth + 1);
  if (Array.isArray(value)) return value.map(next);
  if (!(value instanceof Error)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, next(inner)]));
  }
  const { name, message, stack, cause } = value;
  const more = Object.entries(value).filter(([property]) => told.includes(property));
  return {
    type: name,
    message: redactText(message),
    stack: stack && redactText(stack),
    ...(next(Object.fromEntries(more)) as object),
    ...(cause !== undefined && { cause: next(cause) }),
    ...(value instanceof AggregateError && { errors: next(value.errors.slice(0, 3)) }),
  };
}

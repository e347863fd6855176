import { config } from "#lib/config.ts";

/** Where to ask about plans, as `mailto:` or `https:`; undefined if nothing is configured. */
export function contactAddress(): string | undefined {
  const { PROVIDER_URL, SMTP_URL, MAIL_FROM, CONTACT } = config();
  if (CONTACT) return CONTACT;
  if (PROVIDER_URL || !SMTP_URL) return undefined;
  return `mailto:${/<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}

import { config } from "#config";

/** The sender of our messages, for questions about plans; undefined where none are sent. */
export function contactAddress(): string | undefined {
  const { PROVIDER_URL, SMTP_URL, MAIL_FROM } = config();
  if (PROVIDER_URL || !SMTP_URL) return undefined;
  return /<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
}

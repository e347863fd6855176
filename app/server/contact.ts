import { config } from "#config";

/** The address for questions about plans: the sender of our messages. Undefined where none are sent. */
export function contactAddress(): string | undefined {
  const { PROVIDER_URL, SMTP_URL, MAIL_FROM } = config();
  if (PROVIDER_URL || !SMTP_URL) return undefined;
  return /<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
}

import { config } from "#config";

/** Who answers questions about plans: where our own messages come from. Undefined where none are really sent. */
export function contactAddress(): string | undefined {
  const { PROVIDER_URL, SMTP_URL, MAIL_FROM } = config();
  if (PROVIDER_URL || !SMTP_URL) return undefined;
  return /<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
}

import { minutesInMs } from "#lib/units.ts";
import { decryptSecret, encryptSecret } from "../secrets.ts";
import type { Services } from "../services.ts";
import { type Browser, browserHash } from "../sessions/browsers.ts";

/** The challenge that a passkey signs at a sign-in: encrypted by us and not stored, so that visitors store nothing. */

const purpose = "sign-in with a passkey";
const lastsMs = minutesInMs(5);

type Content = { until: number; browser: string | null };
type Keys = Pick<Services, "seals" | "now">;

const boundTo = (browser: Browser | undefined) => (browser ? browserHash(0, browser) : null);

/** A new challenge for a browser, as bytes. */
export function newSignInChallenge(services: Keys, browser: Browser | undefined) {
  const content: Content = { until: services.now().getTime() + lastsMs, browser: boundTo(browser) };
  return new Uint8Array(Buffer.from(encryptSecret(services, purpose, JSON.stringify(content))));
}

/** Whether a challenge, in base64url, is ours, was made for this browser, and lasts. It counts once (`spendChallenge`). */
export function isSignInChallenge(services: Keys, challenge: string, browser: Browser | undefined): boolean {
  try {
    const text = decryptSecret(services, purpose, Buffer.from(challenge, "base64url").toString());
    const { until, browser: bound } = JSON.parse(text) as Content;
    return until > services.now().getTime() && bound === boundTo(browser);
  } catch {
    return false;
  }
}

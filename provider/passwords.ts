import { hash, verify } from "@node-rs/argon2";

/** Hashes with argon2id in the library's own measure (19 MiB, two passes), as OWASP advises. */
export const hashPassword = (password: string) => hash(password.normalize("NFKC"));

/** Takes the same time as a real hash, so that an address nobody uses can't be told by the clock. */
let decoy: Promise<string> | undefined;

/** Whether the password is right. Without a hash (no such user) it never is, and takes as long to say so. */
export async function isRightPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody's password");
  const right = await verify(passwordHash ?? (await decoy), password.normalize("NFKC"));
  return right && Boolean(passwordHash);
}

let common: Promise<Set<string>> | undefined;

/** Passwords long enough to be accepted that everybody tries first. */
async function commonPasswords() {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((password) => password.length >= 12));
}

/** Why a new password is refused, or undefined where it is good. Its length is the contract's to check. */
export async function passwordRefusal(password: string, email: string): Promise<string | undefined> {
  const folded = password.toLowerCase();
  if (folded === email.toLowerCase()) return "Choose a password that is not your email address";
  if (new Set(folded).size < 4) return "Choose a password with more different characters";
  common ??= commonPasswords();
  if ((await common).has(folded)) return "Choose another password: this one is among the first that are tried";
  return undefined;
}

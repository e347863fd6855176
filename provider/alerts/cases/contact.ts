import { foldEmail } from "#lib/text.ts";

/** Enough digits to distinguish phone numbers, with or without its country’s prefix. */
const comparedDigits = 9;
const minDigits = 7;

/** A complaint’s contact as it is compared: its email address or phone number; empty if it has neither. */
export function contactKey(contact: string): string {
  const [email] = /[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:"]+/.exec(contact) ?? [];
  if (email) return foldEmail(email.replace(/\.+$/, ""));
  const [number = ""] = /\+?\d[\d\s()./-]+/.exec(contact) ?? [];
  const digits = number.replace(/\D/g, "");
  return digits.length < minDigits ? "" : `tel:${digits.slice(-comparedDigits)}`;
}

import type { Signature } from "#provider/contract/signatures.ts";
import { showDate } from "../../components/format.ts";
import type { Tone } from "../../components/verdict-words.ts";

/** What the check of a signed code showed; "unchecked" where it did not answer. */
export type CheckedSignature = Omit<Signature, "verdict"> & { verdict: Signature["verdict"] | "unchecked" };

type Headline = { title: string; sentence: string; advice: string };

const notToRely = "Do not rely on the paper.";
const maybeForged = (issuer: string) =>
  `The register’s document is genuine, but the paper in your hand may say something else. Report it, and ask ${issuer}, by a phone number that you find elsewhere.`;

/** The headline that a signature takes from the record of a document by `issuer`; undefined if it takes none. */
export function headlineOf(signature: CheckedSignature | undefined, issuer: string): Headline | undefined {
  switch (signature?.verdict) {
    case "altered":
      return {
        title: "This code was altered",
        sentence: `Its signature is wrong: its digits were changed, or copied from another code. ${notToRely}`,
        advice: maybeForged(issuer),
      };
    case "unknown key":
      return {
        title: "This code was altered",
        sentence: `It is signed with a key that is not ours. ${notToRely}`,
        advice: maybeForged(issuer),
      };
    case "revoked key":
      return {
        title: "Signed with a revoked key",
        sentence: `The key of this code’s signature was revoked on ${showDate(signature.revoked)}. ${notToRely}`,
        advice: maybeForged(issuer),
      };
    case "contradicts":
      return {
        title: "Register and paper contradict each other",
        sentence: `${signature.company} signed this code, but the register says something else. Do not rely on either of them yet.`,
        advice: `Ask ${issuer} which of them is right, by a phone number that you find elsewhere.`,
      };
    default:
      return undefined;
  }
}

type Answer = { tone: Tone; answer: string };

/** What a signature makes of the answers about the issuer and the paper; undefined where it says nothing of one. */
export function signedAnswers(
  { verdict, company, differs, revoked }: CheckedSignature,
  issuer: string,
): { issuer?: Answer; paper?: Answer } {
  const genuine: Answer = {
    tone: "ok",
    answer: revoked
      ? `Yes, by ${issuer}: the code is signed by it, from before its key was revoked on ${showDate(revoked)}.`
      : `Yes, by ${issuer}: the code is signed by it.`,
  };
  const below = differs.length > 0 ? ", as shown below" : "";
  switch (verdict) {
    case "confirmed":
      return {
        issuer: genuine,
        paper: idle("Its code says the same as the register. Compare the paper itself as well."),
      };
    case "changed since":
      return { issuer: genuine, paper: idle(`The register was changed since it was printed${below}.`) };
    case "newer":
      return {
        issuer: { ...genuine, answer: `Yes, by ${issuer}: the code is signed by ${company}, in a newer form.` },
      };
    case "altered":
      return {
        issuer: bad(`${issuer} issued a document with this code, but this signature is not its own.`),
        paper: isAltered,
      };
    case "unknown key":
      return {
        issuer: bad(`${issuer} issued a document with this code, but this signature is by another key.`),
        paper: isAltered,
      };
    case "revoked key":
      return {
        issuer: bad(`Unknown: whoever has the key of ${company} that was revoked may have signed it.`),
        paper: bad("Unknown: nothing that its code says can be relied on."),
      };
    case "contradicts":
      return {
        issuer: company === issuer ? genuine : bad(`The register says by ${issuer}, the code by ${company}.`),
        paper: bad(`Unknown: its code and the register contradict each other${below}.`),
      };
    case "unreadable":
      return {
        paper: idle("The scanned address is incomplete, so its signature could not be read. Scan the code again."),
      };
    case "unchecked":
      return { paper: idle("The code’s signature could not be checked now. Try again in a minute.") };
    case "no record":
      return {};
  }
}

const idle = (answer: string): Answer => ({ tone: "idle", answer });
const bad = (answer: string): Answer => ({ tone: "bad", answer });
const isAltered = bad("No: the code on it was altered.");

/** What a signature adds to the sentence on a code without a document, or one that could not be looked up. */
export function signedRemark({ verdict, company, revoked }: CheckedSignature): string {
  if (verdict === "altered") return "Its signature is wrong, too.";
  if (verdict === "unknown key") return "It is signed with a key that is not ours.";
  if (verdict === "revoked key") return `It is signed with a key that was revoked on ${showDate(revoked)}.`;
  return company ? `The code is signed by ${company}; whether its document is in force is unknown.` : "";
}

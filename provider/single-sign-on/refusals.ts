import { AuthorizationResponseError, ResponseBodyError } from "openid-client";
import { HttpError, serviceUnavailable } from "../http/errors.ts";
import { SecretLocked } from "../secrets.ts";
import { GroupsElsewhere } from "./claims.ts";
import { AddressRefused } from "../http/public-address.ts";
import { AnswerTooLong } from "./issuer-fetch.ts";
import { IssuerRefused } from "./issuers.ts";

/** Sign-ins that end without a session: in the user's words for the page, in the operator's for the log. */

/** Someone was recognised and may not sign in, or not yet. */
export class SignInRefused extends Error {
  /** For the page. */
  readonly words: string;

  constructor(words: string, reason: string) {
    super(reason);
    this.words = words;
  }
}

const tell = "Tell the administrator of your company.";

export const words = {
  unknownAddress: "This is not a sign-in address of a company. Check it against the one that your company gave you.",
  notOffered: "There is no single sign-on here. Sign in with your email and password.",
  started:
    "This sign-in was begun in another browser, took longer than ten minutes, or has ended before. Begin again from the sign-in page.",
  unavailable: "Your identity provider did not answer in time. Nothing was changed. Try again in a minute.",
  denied: "Your identity provider did not sign you in, or you cancelled there.",
  setUp: `Single sign-on is not set up correctly, so you were not signed in. ${tell}`,
  untrusted: `The answer of your identity provider could not be trusted, so you were not signed in. ${tell}`,
  unverified: `Your identity provider gave no verified email address of yours, so your account can’t be found. ${tell}`,
  noAccount: `You have no account here yet, and none of your groups at the identity provider gives you one. ${tell}`,
  lost: `None of your groups at the identity provider lets you in any more. ${tell}`,
  lastAdministrator:
    "None of your groups at the identity provider makes you an administrator any more, and you are the last one. Tell the operator of this Sealdesk.",
  removed: `Your account was removed. ${tell}`,
  other: `Your account is connected to another user of the identity provider. ${tell}`,
  unproved:
    "Your email address was entered here, but nobody has shown yet that it is yours. Open the link of your invitation, or one of “Forgot password?”, and then sign in with single sign-on again.",
  emailInUse: `Your email address can’t be used for an account here. ${tell}`,
  groups: `Your identity provider did not say which groups you are in, as there are too many. ${tell}`,
  closed: "Your company’s users can’t sign in at the moment. Tell the operator of this Sealdesk.",
};

/** The messages of a thrown error for user and operator; undefined for failures of ours. */
export function refusalOf(error: unknown): { refusal: HttpError; reason: string; event: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const refused = (message: string) => ({ refusal: new HttpError(422, message), reason: reasonOf(error), event });
  if (error instanceof SignInRefused) return refused(error.words);
  if (error instanceof GroupsElsewhere) return refused(words.groups);
  if (error instanceof SecretLocked || error instanceof IssuerRefused) return refused(words.setUp);
  if (error instanceof AuthorizationResponseError) return refused(words.denied);
  if (error instanceof ResponseBodyError) return refused(error.error === "invalid_grant" ? words.started : words.setUp);
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof AddressRefused || cause instanceof AnswerTooLong))
    return refused(words.setUp);
  if (causes.some(isUnreachable)) {
    const refusal = serviceUnavailable(words.unavailable, 60);
    return { refusal, reason: reasonOf(error), event: "identity provider unreachable" };
  }
  const code = causes
    .map((cause) => (cause as { code?: unknown }).code)
    .find((code) => String(code).startsWith("OAUTH_"));
  return code === undefined ? undefined : refused(notAnIssuer.includes(String(code)) ? words.setUp : words.untrusted);
}

const event = "single sign-on refused";

/** Runs what reads an identity provider's answers: an error that no library foresaw is a fault of the answer too. */
export const readingAnswers = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw refusalOf(error) ? error : new IssuerRefused("an answer of it can't be read", { cause: error });
  });

/** The answer is not one of an identity provider at all, such as a page. */
const notAnIssuer = ["OAUTH_RESPONSE_IS_NOT_JSON", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_PARSE_ERROR"];

const unreachableCodes =
  /^(ECONN|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|OAUTH_TIMEOUT|OAUTH_ABORT|ABORT_ERR)/;

const isUnreachable = (error: Error) =>
  ["TimeoutError", "AbortError"].includes(error.name) ||
  unreachableCodes.test(String((error as NodeJS.ErrnoException).code ?? "")) ||
  (isAnswered(error) && (error as { cause: Response }).cause.status >= 500);

/** openid-client's error about a status has the answer as its cause. */
const isAnswered = (error: Error) => error.cause instanceof Response;

function causesOf(error: Error): Error[] {
  const causes: Error[] = [];
  for (let one: unknown = error; one instanceof Error && causes.length < 5; one = one.cause) {
    causes.push(one);
    if (one instanceof AggregateError) causes.push(...one.errors.filter((inner) => inner instanceof Error));
  }
  return causes;
}

/** Messages and codes of an error and its causes; of what an identity provider wrote, the code alone and not its texts. */
function reasonOf(error: Error): string {
  const parts = causesOf(error).map((one) => {
    const code = one instanceof AuthorizationResponseError || one instanceof ResponseBodyError ? one.error : undefined;
    const answer = isAnswered(one) ? ` (status ${(one.cause as Response).status})` : "";
    return `${one.message}${code ? `: ${code}` : ""}${answer}`;
  });
  return [...new Set(parts)].join(": ").slice(0, 500);
}

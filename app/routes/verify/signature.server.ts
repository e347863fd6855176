import type { Signature } from "#provider/contract/signatures.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import type { Context } from "../../server/request/router-context.ts";
import type { CheckedSignature } from "./signature-words.ts";

const nothing: Omit<Signature, "verdict"> = { company: "", differs: [], revoked: "" };

export const unchecked: CheckedSignature = { ...nothing, verdict: "unchecked" };

/** Checks a code's digits. Undefined for a plain code, a mistyped one, and if the provider checks no signatures. */
export async function readSignature(
  context: Context,
  code: string,
  digits: string,
): Promise<CheckedSignature | undefined> {
  if (digits === "") return undefined;
  try {
    return await getProvider(context).checkSignature({ params: { code }, body: { digits } });
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const isUnanswered = failed.status === 429 || (failed.status >= 500 && failed.kind !== "unknown-call");
    return isUnanswered ? unchecked : undefined;
  }
}

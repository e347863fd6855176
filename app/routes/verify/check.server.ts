import { asFailure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import type { Context } from "../../server/request/router-context.ts";
import { readSignature } from "./signature.server.ts";
import type { Outcome, Unanswered } from "./verdict.tsx";

type Checked = { outcome: Outcome; status: number; retryAfter?: number | undefined };

/** Longer than any code, however it is typed. */
const maxLength = 100;

/** A scanned or typed code, and the number on the paper if one is typed. `digits` are those of a signed code, or empty. */
export type Scanned = { code: string; digits: string; number: string };

/** Looks a code up and checks its signature. Failures are outcomes as well, each with its status. */
export async function check(context: Context, scanned: Scanned): Promise<Checked> {
  const { code } = scanned;
  if (code.length > maxLength)
    return { outcome: { kind: "mistyped", code: `${code.slice(0, maxLength)}…` }, status: 422 };
  const [checked, signature] = await Promise.all([
    lookUp(context, scanned),
    readSignature(context, code, scanned.digits),
  ]);
  const { outcome } = checked;
  return outcome.kind === "mistyped" ? checked : { ...checked, outcome: { ...outcome, signature } };
}

async function lookUp(context: Context, { code, number: typed }: Scanned): Promise<Checked> {
  try {
    const document = await getProvider(context).verify({ params: { code }, query: { number: typed } });
    return { outcome: { kind: "found", document, typed }, status: 200 };
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const { status, kind, retryAfter = 60 } = failed;
    if (status === 404) return { outcome: { kind: "not issued", code }, status };
    if (status === 422) return { outcome: { kind: "mistyped", code }, status };
    const reason: Unanswered =
      status === 429
        ? { why: "limited", minutes: Math.ceil(retryAfter / 60) }
        : { why: kind === "unknown-call" ? "notOffered" : "unanswered" };
    const answered = status === 429 || status === 501 ? status : 503;
    return { outcome: { kind: "no answer", code, reason }, status: answered, retryAfter: failed.retryAfter };
  }
}

/** Records the scan of a human visitor. Returns its key, or "" where none was recorded. */
export async function record(context: Context, request: Request, outcome: Outcome, scanned: Scanned): Promise<string> {
  const { number } = scanned;
  const wasChecked = outcome.kind === "found" && outcome.signature;
  const code = outcome.kind === "found" ? outcome.document.code : outcome.kind === "no answer" ? "" : outcome.code;
  const isRecordable = outcome.kind === "found" || number !== "";
  if (!code || !isRecordable || !isHumanPageView(request)) return "";
  try {
    return (
      await getProvider(context).recordScan({
        params: { code },
        body: { number, ...(wasChecked && { digits: scanned.digits }) },
      })
    ).scan;
  } catch (thrown) {
    // The verdict stands whether or not its scan was recorded.
    if (asFailure(thrown)) return "";
    throw thrown;
  }
}

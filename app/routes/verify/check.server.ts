import type { Verification } from "#provider/contract/verify.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { openCode } from "../../server/provider/open-code.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import type { Context } from "../../server/request/router-context.ts";
import { readSignature } from "./signature.server.ts";
import type { Outcome } from "./verdict.tsx";

type Checked = { outcome: Outcome; status: number; retryAfter?: number | undefined };

/** Longer than any code, however it is typed. */
const maxLength = 100;

/** A scanned or typed code, and the number on the paper if one is typed. `digits` are those of a signed code, or empty. */
export type Scanned = { code: string; digits: string; number: string };

/** The same, with the key of the scan that was recorded; empty where none was. */
export async function checkAndRecord(context: Context, request: Request, scanned: Scanned) {
  const { code, digits, number } = scanned;
  const isPlain = digits === "" && number === "" && code.length <= maxLength;
  let scan: string | undefined;
  if (isPlain && isHumanPageView(request)) {
    const checked = await answered(scanned, async () => {
      const opened = await openCode(context, code);
      scan = opened?.scan;
      return opened?.document;
    });
    if (checked) return { ...checked, scan: scan ?? "" };
  }
  const checked = await check(context, scanned);
  return { ...checked, scan: await record(context, request, checked.outcome, scanned) };
}

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

const lookUp = (context: Context, scanned: Scanned): Promise<Checked> =>
  answered(scanned, () =>
    getProvider(context).verify({ params: { code: scanned.code }, query: { number: scanned.number } }),
  );

/** The outcome of reading a code's document; undefined where that was not tried. */
async function answered<Read extends Verification | undefined>(
  { code, number: typed }: Scanned,
  read: () => Promise<Read>,
): Promise<Checked | (Read extends undefined ? undefined : never)> {
  try {
    const document = await read();
    if (!document) return undefined as never;
    return { outcome: { kind: "found", document, typed }, status: 200 };
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const { status, kind, retryAfter = 60 } = failed;
    if (status === 404) return { outcome: { kind: "not issued", code }, status };
    if (status === 422) return { outcome: { kind: "mistyped", code }, status };
    const message =
      status === 429
        ? `Too many codes were checked from here. Try again in ${Math.ceil(retryAfter / 60)} minutes.`
        : kind === "unknown-call"
          ? "This register can’t be checked here. Contact the issuer of the document."
          : "The register did not answer. This says nothing about the document: try again in a minute.";
    const answered = status === 429 || status === 501 ? status : 503;
    return { outcome: { kind: "no answer", code, message }, status: answered, retryAfter: failed.retryAfter };
  }
}

/** Records the scan of a human visitor. Returns its key, or "" where none was recorded. */
async function record(context: Context, request: Request, outcome: Outcome, scanned: Scanned): Promise<string> {
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

import { isRealDate } from "#lib/dates.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { openCode, opensCodes } from "../../server/provider/open-code.ts";
import { zoneOf } from "../../server/provider/time-zone.ts";
import { companyHostOf } from "../../server/request/company-host.ts";
import { clientAddress } from "../../server/request/client-address.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getSession } from "../../server/sessions/session.ts";
import { readSignature, unchecked } from "./signature.server.ts";
import type { CheckedSignature } from "./signature-words.ts";
import type { Outcome, Unanswered } from "./verdict.tsx";

type Read = { document: Verification; signature?: CheckedSignature };
type Checked = { outcome: Outcome; status: number; retryAfter?: number | undefined };

/** Longer than any code, however it is typed. */
const maxLength = 100;

/** A scanned or typed code, and the number on the paper if one is typed, `again` after a slip. `digits` are those of a signed code, or empty. */
export type Scanned = { code: string; digits: string; number: string; again?: boolean };

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
  return outcome.kind === "mistyped" || outcome.kind === "near number"
    ? checked
    : { ...checked, outcome: { ...outcome, signature } };
}

const lookUp = (context: Context, scanned: Scanned): Promise<Checked> =>
  outcomeOf(scanned, async () => {
    const { code, number, again } = scanned;
    const query = { number, ...(again && { again: "1" }) };
    return { document: await getProvider(context).verify({ params: { code }, query }) };
  });

/** Whether a document's date is still to come where its company is. Most are over everywhere. */
export const isAhead = ({ date, timezone }: Verification) =>
  isRealDate(date) &&
  date >= new Date().toISOString().slice(0, 10) &&
  date > new Date().toLocaleDateString("en-CA", { timeZone: zoneOf(timezone).zone });

/** What reading a code's document ends with; undefined if it was not tried. */
async function outcomeOf({ code, number: typed }: Scanned, read: () => Promise<Read>): Promise<Checked> {
  try {
    const answer = await read();
    if (answer.document.paper === "near") return { outcome: { kind: "near number", code, typed }, status: 200 };
    return { outcome: { kind: "found", ...answer, typed, isAhead: isAhead(answer.document) }, status: 200 };
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

/** What was found of a code that a person opened, with the key of the scan; empty if none was stored. */
type Opened = Checked & { scan: string };

type Visitor = { clientAddress: string; token: string | undefined; hostCompany: number | undefined };

/** The same by one look, with the scan stored; undefined if it takes several calls. */
async function openInOne(scanned: Scanned, visitor: Visitor): Promise<Opened | undefined> {
  const { code, digits, number } = scanned;
  if (!opensCodes() || number !== "" || code.length > maxLength) return undefined;
  let scan = "";
  const opened = await outcomeOf(scanned, async () => {
    const { document, signature = unchecked, ...stored } = await openCode({ code, digits, ...visitor });
    scan = stored.scan;
    return { document, ...(digits && { signature }) };
  });
  return { ...opened, scan };
}

/** Checks a code and records its scan. */
export async function checkAndRecord(context: Context, request: Request, scanned: Scanned): Promise<Opened> {
  const visitor = {
    clientAddress: clientAddress(request),
    token: getSession(context).get("token"),
    hostCompany: companyHostOf(context)?.companyId,
  };
  const opened = isHumanPageView(request) ? await openInOne(scanned, visitor) : undefined;
  if (opened) return { ...opened, outcome: await withSignature(context, opened.outcome, scanned) };
  const checked = await check(context, scanned);
  return { ...checked, scan: await record(context, request, checked.outcome, scanned) };
}

/** Of a document that was found it is known. */
async function withSignature(context: Context, outcome: Outcome, { code, digits }: Scanned): Promise<Outcome> {
  if (outcome.kind !== "not issued" && outcome.kind !== "no answer") return outcome;
  return { ...outcome, signature: await readSignature(context, code, digits) };
}

/** Records the scan of a human visitor. Returns its key, or "" if none was recorded. */
async function record(context: Context, request: Request, outcome: Outcome, scanned: Scanned): Promise<string> {
  const { number, again } = scanned;
  const wasChecked = outcome.kind === "found" && outcome.signature;
  const code = outcome.kind === "found" ? outcome.document.code : outcome.kind === "no answer" ? "" : outcome.code;
  const isRecordable = outcome.kind === "found" || number !== "";
  if (!code || !isRecordable || !isHumanPageView(request)) return "";
  try {
    return (
      await getProvider(context).recordScan({
        params: { code },
        body: { number, ...(again && { again: "1" }), ...(wasChecked && { digits: scanned.digits }) },
      })
    ).scan;
  } catch (thrown) {
    // The verdict stands whether or not its scan was recorded.
    if (asFailure(thrown)) return "";
    throw thrown;
  }
}

import type { RouterContextProvider } from "react-router";
import { asFailure } from "../../server/provider/failure.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isPerson } from "./person.server.ts";
import type { Outcome } from "./verdict.tsx";

type Context = Readonly<RouterContextProvider>;

type Checked = { outcome: Outcome; status: number; retryAfter?: number | undefined };

/** No code is as long, however it is typed; the provider doesn't take more. */
const longest = 100;

/** Asks about a code. What can't be answered is an outcome as well, with its status. */
export async function check(context: Context, code: string): Promise<Checked> {
  if (code.length > longest) return { outcome: { kind: "mistyped", code: `${code.slice(0, longest)}…` }, status: 422 };
  try {
    const document = await getProvider(context).verify({ params: { code } });
    return { outcome: { kind: "found", document }, status: 200 };
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
          ? "This register can’t be asked here. Ask whoever issued the document."
          : "The register did not answer. This says nothing about the document: try again in a minute.";
    const answered = status === 429 || status === 501 ? status : 503;
    return { outcome: { kind: "no answer", code, message }, status: answered, retryAfter: failed.retryAfter };
  }
}

/** Records a scan that somebody made, by a call of its own; returns its name, or "" where none is kept. */
export async function record(context: Context, request: Request, outcome: Outcome, number: string): Promise<string> {
  const code = outcome.kind === "found" ? outcome.document.code : outcome.kind === "no answer" ? "" : outcome.code;
  const isWorthIt = outcome.kind === "found" || number !== "";
  if (!code || !isWorthIt || !isPerson(request)) return "";
  try {
    return (await getProvider(context).recordScan({ params: { code }, body: { number } })).scan;
  } catch (thrown) {
    // The answer about the document stands, whether or not its scan could be kept.
    if (asFailure(thrown)) return "";
    throw thrown;
  }
}

import { Verification } from "#provider/contract/verify.ts";
import type { Context } from "../request/router-context.ts";
import { getCallContext } from "./context.ts";
import { refusalOf } from "./refusals.ts";

/**
 * A code's document and the key of the scan that was stored. In process without requests, which would take longer than all
 * else; undefined where another provider answers. Throws the failure of `verify`.
 */
export async function openCode(context: Context, code: string) {
  const call = getCallContext(context);
  if (!call.openCode) return undefined;
  const opened = await call.openCode(code);
  if (opened instanceof Response) throw await refusalOf(call, "verify", opened);
  return { document: Verification.parse(opened.shown), scan: opened.scan };
}

import type { Call } from "#provider/contract/call.ts";
import type { Asked } from "#provider/http/asked.ts";
import type { JsonReply } from "#provider/http/replies.ts";

export type CallContext = {
  token: string | undefined;
  endSession(): void;
  /** Where to return after signing in. */
  page: string;
  signal: AbortSignal;
  send(request: Request): Promise<Response>;
  /** Asks the embedded provider without HTTP, for calls without a body; undefined with another provider. */
  ask?: ((call: Call, asked: Asked) => Promise<JsonReply | Response>) | undefined;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

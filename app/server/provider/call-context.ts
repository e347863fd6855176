import type { Call } from "#provider/contract/call.ts";
import type { CallRequest } from "#provider/http/call-request.ts";
import type { JsonReply } from "#provider/http/replies.ts";

export type CallContext = {
  token: string | undefined;
  endSession(): void;
  /** Where to return after signing in. */
  page: string;
  signal: AbortSignal;
  send(request: Request): Promise<Response>;
  /** Makes a call of the embedded provider without HTTP, one without a body; undefined with another provider. */
  callInProcess?: ((call: Call, request: CallRequest) => Promise<JsonReply | Response>) | undefined;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

import type { Provider } from "#provider/provider.ts";

export type CallContext = {
  token: string | undefined;
  endSession(): void;
  /** Where to return after signing in. */
  page: string;
  signal: AbortSignal;
  send(request: Request): Promise<Response>;
  /** Of the embedded provider (`open-code.ts`). */
  openCode?: ((code: string) => ReturnType<Provider["openCode"]>) | undefined;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

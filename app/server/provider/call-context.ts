/** Whose call it is, and how the provider is reached. */
export type CallContext = {
  token: string | undefined;
  /** Called when the provider refuses the token. */
  endSession(): void;
  /** The requested page, to return to after signing in. */
  page: string;
  /** Aborts with the browser's request. */
  signal: AbortSignal;
  /** Carries one request to the provider. */
  send(request: Request): Promise<Response>;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

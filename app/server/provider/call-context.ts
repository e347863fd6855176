/** Who is asking, and how the provider is reached. */
export type CallContext = {
  token: string | undefined;
  /** Ends the session where the provider says that the token is no longer good. */
  endSession(): void;
  /** The page that is asked for, to come back to after signing in. */
  page: string;
  /** Aborts with the browser's request. */
  signal: AbortSignal;
  /** Carries one request to the provider. */
  send(request: Request): Promise<Response>;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

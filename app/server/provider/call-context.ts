export type CallContext = {
  token: string | undefined;
  endSession(): void;
  /** Where to return after signing in. */
  page: string;
  signal: AbortSignal;
  send(request: Request): Promise<Response>;
  /** `https://host` of an external provider; any address for the embedded one. */
  origin: string;
};

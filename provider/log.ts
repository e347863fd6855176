/** Events worth an operator's eye, one JSON line each; never a token, password or code. */
export type Log = {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
  error(event: object, message: string): void;
};

import { discardBody } from "#lib/storage/files/discard-body.ts";

/** Runs work that may refuse a request before its body is read, and then reads that to its end, so that the sender can read why. */
export async function orDiscard<T>(request: Request, allow: () => Promise<T>): Promise<T> {
  try {
    return await allow();
  } catch (error) {
    await discardBody(request);
    throw error;
  }
}

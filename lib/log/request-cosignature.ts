import { bytesWithin } from "../bytes-within.ts";
import { sendRequest } from "../send-request.ts";
import { minutesInMs, secondsInMs } from "../units.ts";
import { maxCharacters, sizeType, writeAddCheckpoint } from "./add-checkpoint.ts";
import { readSize } from "./checkpoints.ts";
import { type NoteKey, type NoteSignature, openNote } from "./notes.ts";

/** A witness that operators name: its key, and the address below which it is asked. */
export type WitnessAddress = { key: NoteKey; url: string };

type Request = {
  note: string;
  size: number;
  /** Entries of the log as of the witness's latest cosignature, as far as is known; 0 for none. */
  seenSize: number;
  proofFrom(size: number): Promise<Buffer[]>;
  signal: AbortSignal;
};

/** A witness that has seen another log: this one lost or changed entries, or an older copy of it was restored. */
export class WitnessRefused extends Error {}

const timeoutMs = secondsInMs(10);
export const maxClockErrorMs = minutesInMs(5);

/** Asks a witness to cosign a checkpoint. Throws `WitnessRefused`, and other errors for a witness that is not reached. */
export async function requestCosignature(witness: WitnessAddress, request: Request): Promise<NoteSignature> {
  const { note, size, proofFrom, signal } = request;
  let oldSize = Math.min(request.seenSize, size);
  for (let attempt = 1; ; attempt++) {
    const proof = await proofFrom(oldSize);
    const { status, type, body } = await post(witness, writeAddCheckpoint({ oldSize, proof, note }), signal);
    if (status === 200) return readCosignature(witness, note, body);
    const seen = status === 409 && type === sizeType ? readSize(body.trimEnd()) : undefined;
    if (seen === undefined) {
      const message = `${status} ${/^[ -~]{1,200}$/m.exec(body)?.[0] ?? ""}`.trim();
      throw status === 422 ? new WitnessRefused(message) : new Error(message);
    }
    if (seen > size) throw new WitnessRefused(`it has seen ${seen} entries, the log has ${size}`);
    if (seen === oldSize) throw new WitnessRefused(`it has seen another log of ${size} entries`);
    if (attempt > 1) throw new Error("another process asks it too");
    oldSize = seen;
  }
}

function readCosignature({ key }: WitnessAddress, note: string, body: string): NoteSignature {
  const opened = openNote(note.slice(0, note.lastIndexOf("\n\n") + 2) + body, [key]);
  const signature = opened?.signatures[0];
  if (!signature) throw new Error("its reply is no cosignature by its key");
  if (Math.abs(Date.now() - signature.at!.getTime()) > maxClockErrorMs) throw new Error("its clock is wrong");
  return signature;
}

async function post({ url }: WitnessAddress, content: string, signal: AbortSignal) {
  const reply = await sendRequest(new URL(`${url}/add-checkpoint`), {
    method: "POST",
    body: Buffer.from(content),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  try {
    const body = await bytesWithin(reply, maxCharacters, () => new Error("its reply is too long"));
    return { status: reply.statusCode, type: reply.headers["content-type"], body: body.toString() };
  } finally {
    reply.destroy();
  }
}

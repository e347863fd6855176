import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { isMultipart } from "./multipart.ts";

/** Bytes of a form that are searched for its first fields. */
const maxPeekedBytes = 16 * 1024;

/**
 * The value of a field near the beginning of a form, of letters, digits, `-`, `_` and `.`; undefined without it. The body can
 * still be read as if it had not been.
 */
export async function peekField(request: Request, name: string): Promise<string | undefined> {
  const { body } = request;
  if (!body) return undefined;
  const field = isMultipart(request)
    ? new RegExp(`\\bname="${name}"\\r\\n\\r\\n([\\w.-]*)\\r\\n`)
    : new RegExp(`(?:^|&)${name}=([\\w.-]*)&`);
  const [chunks, decoder, reader] = [[] as Uint8Array[], new TextDecoder("latin1"), body.getReader()];
  let text = "";
  let isComplete = false;
  while (!isComplete && text.length < maxPeekedBytes && !field.test(text)) {
    const { done, value } = await reader.read();
    isComplete = done;
    // A field that ends with the body has no separator.
    text += done ? "&" : decoder.decode(value, { stream: true });
    if (value) chunks.push(value);
  }
  reader.releaseLock();
  const whole = NodeReadableStream.from(rejoined(chunks, body));
  const configurable = true;
  Object.defineProperties(request, { body: { value: whole, configurable }, bodyUsed: { value: false, configurable } });
  return field.exec(text)?.[1];
}

async function* rejoined(chunks: Uint8Array[], rest: ReadableStream<Uint8Array>) {
  yield* chunks;
  yield* rest;
}

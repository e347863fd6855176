/** A stream's bytes. Throws what `tooMany` returns once there are more than `maxBytes`, and reads no further. */
export async function bytesWithin(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  tooMany: () => unknown,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooMany();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

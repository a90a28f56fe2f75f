/**
 * The body of a response to a call of ours as text, read up to a number of bytes. A longer one is cut, which ends its
 * connection, and is not `whole`.
 */
export async function readBodyText(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<{ text: string; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let whole = true;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      whole = false;
      break;
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), whole };
}

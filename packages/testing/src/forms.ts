/** The parts of a multipart form: texts as strings, and files. */
export type FormParts = Record<string, string | { name: string; content: Buffer }>;

/** A multipart form as it is sent. */
export async function formOf(
  parts: FormParts,
): Promise<{ headers: { 'content-type': string }; payload: Buffer }> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([new Uint8Array(part.content)]), part.name);
  }
  const request = new Request('http://bidwell.test', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type')! };
  return { headers, payload: Buffer.from(await request.arrayBuffer()) };
}

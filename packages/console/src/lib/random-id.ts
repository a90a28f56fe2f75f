/** An id that nothing else has. Where the page is served over plain http, `crypto.randomUUID` is not there. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** A random 128-bit id in hex. `crypto.randomUUID` is missing where the page is served over plain http. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

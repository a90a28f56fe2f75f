/** The id of a device in 32 hexadecimal digits with the hyphens of a UUID; any other text as it is. Pure. */
export function withHyphens(id: string): string {
  return id.replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i, '$1-$2-$3-$4-$5');
}

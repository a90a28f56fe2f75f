/** A part of a file; both ends belong to it. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one byte range that a `Range` header asks of a file (RFC 9110, section 14): null when it asks for none, for several,
 * or is not well formed, and all is sent; `unsatisfiable` when the file has nothing there.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  return start >= bytes
    ? 'unsatisfiable'
    : { start, end: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}

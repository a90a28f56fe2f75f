/** A part of a file. Both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14) for a file of `bytes` bytes. Null if the whole file is to be sent:
 * no range, several ranges, or a malformed one. `unsatisfiable` if the file has no bytes in the range.
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

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes with its unit, powers of 1000; `Unknown` for null. */
export function bytesText(bytes: number | null): string {
  if (bytes === null) return 'Unknown';
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

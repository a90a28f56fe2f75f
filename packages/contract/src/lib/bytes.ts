const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in the largest unit that it fills, rounded up to a tenth: 1.5 MiB. */
export function bytesText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.ceil((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}

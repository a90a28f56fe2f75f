/** The entries of a list, or the pairs of a map, by a text that is the same for equal ones; none of any other value. */
export function entriesOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map();
  const entries: unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
}

/** A list or map like `whole` with other entries of {@link entriesOf}. Any other value as it is. */
export function withEntries(whole: unknown, entries: readonly unknown[]): unknown {
  if (typeof whole !== 'object' || whole === null) return whole;
  return Array.isArray(whole) ? entries : Object.fromEntries(entries as [string, unknown][]);
}

/** The values in `lists` by the number of lists that have them, the most used first; at most `max`. Pure. */
export function mostUsed(lists: readonly (readonly string[])[], max: number): string[] {
  const counts = new Map<string, number>();
  for (const value of lists.flatMap((list) => [...new Set(list)]))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([value]) => value);
}

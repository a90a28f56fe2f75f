/** The label of an event that several apps have; null if their labels differ. Pure. */
export function commonLabel(labels: readonly (string | null)[]): string | null {
  const [first = null] = labels;
  return labels.every((label) => label === first) ? first : null;
}

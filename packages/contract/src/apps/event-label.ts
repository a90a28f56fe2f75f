/** What is shown in place of an event's name where several apps have the event: the label of all; null where they differ. Pure. */
export function commonLabel(labels: readonly (string | null)[]): string | null {
  const [first = null] = labels;
  return labels.every((label) => label === first) ? first : null;
}

/**
 * The name that a misspelled one was probably meant to be: equal except for case and punctuation, or at most two letters away, of names of
 * more than four letters. Undefined without one. Pure.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const normalized = normalize(name);
  return [...names]
    .map((one) => ({ one, edits: editDistance(normalize(one), normalized) }))
    .filter(({ one, edits }) => edits <= (one.length > 4 ? 2 : 0))
    .toSorted((a, b) => a.edits - b.edits)[0]?.one;
}

const normalize = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Longest name that is compared. */
const COMPARED_MAX = 100;

/** Levenshtein distance of two texts; of one that is too long to be a name, its length. */
function editDistance(from: string, to: string): number {
  if (Math.max(from.length, to.length) > COMPARED_MAX) return COMPARED_MAX;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

/**
 * The name that a misspelled one was probably meant to be: equal except for case and punctuation, or at most two letters away; of a name of
 * four letters one letter, and none of a shorter one. Two letters in the other order are one letter away. Undefined without one. Pure.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const normalized = normalize(name);
  return [...names]
    .map((one) => ({ one, edits: editDistance(normalize(one), normalized) }))
    .filter(({ one, edits }) => edits <= editsMax(one))
    .toSorted((a, b) => a.edits - b.edits)[0]?.one;
}

const editsMax = ({ length }: string): number => (length > 4 ? 2 : length === 4 ? 1 : 0);

const normalize = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Longest name that is compared. */
const COMPARED_MAX = 100;

/** Edits from one text to another, with two neighbours in the other order as one edit (optimal string alignment); of a text that is too long to be a name, its length. */
function editDistance(from: string, to: string): number {
  if (Math.max(from.length, to.length) > COMPARED_MAX) return COMPARED_MAX;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwap ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1, swap));
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}

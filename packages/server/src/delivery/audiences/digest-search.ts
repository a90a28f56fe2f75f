/** How often the position is estimated anew from the value at the last one. */
const ESTIMATES = 2;
/** The first distance from the estimated position at which the search looks: two cache lines. */
const FIRST_STEP = 16;
const TWO_32 = 2 ** 32;

/**
 * Whether ascending digests, each as its lower and its upper 32 bits, have one. Hashes are uniform, so the value says about where it is: the
 * search goes from there in growing steps, and takes at most twice as many as a binary search of the whole for any values.
 */
export function hasDigest(words: Uint32Array, low: number, high: number): boolean {
  const last = (words.length >>> 1) - 1;
  if (last < 0) return false;
  let estimate = Math.min(last, Math.floor((high / TWO_32) * (last + 1)));
  for (let round = 0; round < ESTIMATES; round += 1) {
    const distance = Math.round(((high - words[estimate * 2 + 1]!) / TWO_32) * (last + 1));
    estimate = Math.max(0, Math.min(last, estimate + distance));
  }
  let from = estimate;
  let to = estimate;
  let step = FIRST_STEP;
  if (compareAt(words, estimate, low, high) < 0) {
    while (to < last && compareAt(words, to, low, high) < 0) {
      from = to;
      to = Math.min(last, to + step);
      step *= 2;
    }
  } else {
    while (from > 0 && compareAt(words, from, low, high) > 0) {
      to = from;
      from = Math.max(0, from - step);
      step *= 2;
    }
  }
  while (from <= to) {
    const middle = (from + to) >>> 1;
    const order = compareAt(words, middle, low, high);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle - 1;
  }
  return false;
}

/** Negative where the digest at an index is less than another, 0 where they are equal. */
function compareAt(words: Uint32Array, index: number, low: number, high: number): number {
  return words[index * 2 + 1]! - high || words[index * 2]! - low;
}

/** A source of random numbers in [0, 1), passed to everything that generates traffic. */
export type Random = () => number;

/** A small, fast generator (mulberry32) that yields the same numbers for a seed on every machine. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The FNV-1a hash of a text, an integer below 2³²; for seeds and constant traits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A uniformly random item. Throws RangeError for an empty list. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('Nothing to pick from');
  return item;
}

/** A random item, with probability proportional to its weight. Throws RangeError if all weights are 0. */
export function pickWeighted<T>(random: Random, items: readonly T[], weightOf: (item: T) => number): T {
  let rest = random() * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    rest -= weightOf(item);
    if (rest < 0) return item;
  }
  throw new RangeError('Nothing to pick from');
}

/** A random integer from `low` to `high`, both inclusive. */
export function integerBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A log-normal random number with this median; `sigma` 0.5 is a narrow spread, 1 a wide one. */
export function logNormal(random: Random, median: number, sigma: number): number {
  // Box-Muller; 1 - x keeps the logarithm away from 0.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}

/** A random UUID of version 4, in lower case. */
export function uuidFrom(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'[Math.floor(random() * 4)]!;
  const text = hex.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

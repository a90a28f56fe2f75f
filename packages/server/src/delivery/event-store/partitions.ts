import type { UuidWords } from './digest-set.ts';

/** First of the four hexadecimal digits of a bid id that choose its partition. */
const DIGITS_AT = 24;

/**
 * The partition of a bid's events among `count`, by random bits of its id: not its time, which is at the front, and not
 * the tag of its bidder, which is at the end. The same for all events of a bid, in every process.
 */
export function partitionOf(bidId: string, count: number): number {
  return Number.parseInt(bidId.slice(DIGITS_AT, DIGITS_AT + 4), 16) % count;
}

/** The same, of a parsed id: its four big-endian words. */
export function partitionOfWords(words: UuidWords, count: number): number {
  return (words[2] & 0xffff) % count;
}

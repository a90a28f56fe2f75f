import { NO_LEVEL } from '../funnel/request-sample.ts';
import type { CompiledCaps } from '../model/frequency.ts';
import type { Chunk, SampleColumns } from './columns.ts';
import type { Opportunities } from './opportunities.ts';

/** People whose requests are all in the sample. */
export interface WholePeople {
  /** Their least level: people of a lower one are left out, since they are missing while the sample had fewer people. */
  level: number;
  /** Factor on the weights, for the requests of which it is not known how they were chosen, as of earlier releases. */
  scale: number;
}

/** Share of the requests for whose time people of the level may be missing: a short peak does not take away most of the sample. */
const MISSING_SHARE = 0.1;
/** The least share of the requests of which it has to be known how they were chosen. */
const KNOWN_MIN = 0.1;
const LEVELS = 33;

/**
 * The people of some requests of the sample of whom it has all requests; null where too few of the requests say how they were chosen. Yields
 * after each chunk.
 */
export function* wholePeople(
  columns: SampleColumns,
  isOne: (chunk: Chunk, row: number) => boolean,
): Generator<undefined, WholePeople | null> {
  const byLevel = new Float64Array(LEVELS);
  let all = 0;
  for (const chunk of columns.chunks) {
    for (let row = 0; row < chunk.size; row += 1) {
      if (!isOne(chunk, row)) continue;
      const weight = chunk.weight[row]!;
      all += weight;
      if (chunk.level[row] !== NO_LEVEL) byLevel[chunk.level[row]!]! += weight;
    }
    yield;
  }
  const known = byLevel.reduce((sum, weight) => sum + weight, 0);
  if (known < all * KNOWN_MIN) return null;
  let level = LEVELS - 1;
  let above = 0;
  while (level > 0 && above + byLevel[level]! <= known * MISSING_SHARE) {
    above += byLevel[level]!;
    level -= 1;
  }
  return { level, scale: known > 0 ? all / known : 1 };
}

/** How often the impressions of each person are drawn. */
const REPETITIONS = 8;

/**
 * Replays frequency caps: the requests of one person after another, each in the order of time, several times with other draws of what is won.
 * A lost bid counts for nothing; the bidder counts it until it knows.
 */
export class CapReplay {
  readonly #caps: readonly { impressions: number; seconds: number }[];
  /** Seconds of the impressions of the person in each repetition, ascending. */
  readonly #impressions = Array.from({ length: REPETITIONS }, (): number[] => []);
  readonly #isOpen = new Uint8Array(REPETITIONS);
  #person = 0;
  #request = -1;
  #atMs = 0;
  /** Opportunities of the request so far, and the sum of the chances to win them. */
  #size = 0;
  #chances = 0;
  #openShare = 1;

  constructor({ adset, campaign }: Pick<CompiledCaps, 'adset' | 'campaign'>) {
    // The campaign's caps count the impressions of this ad set alone.
    this.#caps = [...adset, ...campaign].map(({ impressions, minutes }) => ({
      impressions,
      seconds: minutes * 60,
    }));
  }

  /** Goes on to an opportunity; returns in which share of the repetitions its person has reached no cap, 0 to 1. */
  openShareAt(found: Opportunities, at: number): number {
    const person = found.person[at]!;
    if (person === 0) return 1;
    const request = found.request[at]!;
    if (person !== this.#person || request !== this.#request) {
      this.#endRequest();
      if (person !== this.#person) for (const times of this.#impressions) times.length = 0;
      this.#person = person;
      this.#request = request;
      this.#atMs = found.atMs[at]!;
      this.#openShare = this.#open();
    }
    this.#size += 1;
    return this.#openShare;
  }

  /** Adds the chance that a bid on the present opportunity wins. */
  addChance(chance: number): void {
    this.#chances += chance;
  }

  #open(): number {
    const second = Math.floor(this.#atMs / 1000);
    let open = 0;
    for (const [repetition, times] of this.#impressions.entries()) {
      const isReached = this.#caps.some(
        ({ impressions, seconds }) =>
          times.length >= impressions && times[times.length - impressions]! >= second - seconds,
      );
      this.#isOpen[repetition] = isReached ? 0 : 1;
      if (!isReached) open += 1;
    }
    return open / REPETITIONS;
  }

  #endRequest(): void {
    const chance = this.#size > 0 ? this.#chances / this.#size : 0;
    this.#size = 0;
    this.#chances = 0;
    if (chance <= 0) return;
    const drawn = drawOf(this.#request);
    const second = Math.ceil(this.#atMs / 1000);
    for (const [repetition, times] of this.#impressions.entries())
      // Spread over the repetitions, so that their average is as exact as it can be.
      if (this.#isOpen[repetition] === 1 && (drawn + repetition / REPETITIONS) % 1 < chance)
        times.push(second);
  }
}

/** A number from 0 to 1 for a request, the same for each price. */
function drawOf(request: number): number {
  let mixed = Math.imul(request ^ (request >>> 16), 0x85eb_ca6b) ^ 0x9e37_79b9;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

import { NO_LEVEL } from '../funnel/request-sample.ts';
import { audienceNoBidReason } from '../auction/audiences.ts';
import type { CompiledAudiences } from '../model/audience.ts';
import type { CompiledCaps } from '../model/frequency.ts';
import type { Chunk, SampleColumns, SampledMemberships } from './columns.ts';
import type { Opportunities } from './opportunities.ts';

/** What the sample knows of the people of an ad set's matching requests. */
export interface KnownPeople {
  /**
   * The least level of people whose requests are all in the sample: people of a lower one are missing while the sample had fewer people. Null
   * where frequency caps are not counted.
   */
  level: number | null;
  /** Share of the requests whose people the audiences allow, 0 to 1; null where audiences are not counted. */
  audienceShare: number | null;
  /** Factor on the weights, for the requests of which it is not known, as of earlier releases. */
  scale: number;
}

/** Whether the audiences of an ad set allow a person. */
export const VERDICTS = { allowed: 0, denied: 1, unknown: 2 } as const;

/** The verdicts of an ad set's audiences, by the codes of memberships; null for an ad set without audiences. */
export function audienceVerdicts(
  audiences: CompiledAudiences | null,
  { memberships }: SampleColumns,
): Uint8Array | null {
  return audiences && Uint8Array.from(memberships.values, (value) => verdictOf(audiences, value));
}

/** It is known only where the bidder had all of the audiences: whom it knew of some would not be a fair sample. */
function verdictOf(audiences: CompiledAudiences, value: SampledMemberships | 'unknown'): number {
  if (value === 'unknown') return VERDICTS.unknown;
  const { include, exclude } = audiences;
  if (![...include.flat(), ...exclude].every((uuid) => value.loaded.has(uuid))) return VERDICTS.unknown;
  const within = value.audiences && new Set(value.audiences);
  const reason = audienceNoBidReason(
    audiences,
    within && { of: (uuid) => (within.has(uuid) ? 'in' : 'out') },
  );
  return reason === null ? VERDICTS.allowed : VERDICTS.denied;
}

/** Share of the requests for whose time people of the level may be missing: a short peak does not take away most of the sample. */
const MISSING_SHARE = 0.1;
/** The least share of the requests of which it has to be known. */
const KNOWN_MIN = 0.1;
const LEVELS = 33;

/** What the sample knows of the people of some requests. `verdicts` are the verdicts of audiences. Yields after each chunk. */
export function* knownPeople(
  columns: SampleColumns,
  { hasCaps, verdicts }: { hasCaps: boolean; verdicts: Uint8Array | null },
  isOne: (chunk: Chunk, row: number) => boolean,
): Generator<undefined, KnownPeople> {
  const byLevel = new Float64Array(LEVELS);
  const sums = { all: 0, ofLevel: 0, ofVerdict: 0, allowed: 0, ofBoth: 0 };
  for (const chunk of columns.chunks) {
    for (let row = 0; row < chunk.size; row += 1) {
      if (!isOne(chunk, row)) continue;
      const weight = chunk.weight[row]!;
      const level = chunk.level[row]!;
      const verdict = verdicts ? verdicts[chunk.memberships[row]!]! : VERDICTS.allowed;
      sums.all += weight;
      if (verdict !== VERDICTS.unknown) sums.ofVerdict += weight;
      if (verdict === VERDICTS.allowed) sums.allowed += weight;
      if (level === NO_LEVEL) continue;
      sums.ofLevel += weight;
      byLevel[level]! += weight;
      if (verdict !== VERDICTS.unknown) sums.ofBoth += weight;
    }
    yield;
  }
  const least = sums.all * KNOWN_MIN;
  const countsAudiences = verdicts !== null && sums.ofVerdict >= least;
  const known = countsAudiences ? sums.ofBoth : sums.ofLevel;
  const countsCaps = hasCaps && known >= least;
  const counted = countsCaps ? known : countsAudiences ? sums.ofVerdict : sums.all;
  return {
    level: countsCaps ? wholeLevel(byLevel, sums.ofLevel) : null,
    audienceShare: countsAudiences ? sums.allowed / Math.max(sums.ofVerdict, Number.MIN_VALUE) : null,
    scale: counted > 0 ? sums.all / counted : 1,
  };
}

function wholeLevel(byLevel: Float64Array, known: number): number {
  let level = LEVELS - 1;
  let above = 0;
  while (level > 0 && above + byLevel[level]! <= known * MISSING_SHARE) {
    above += byLevel[level]!;
    level -= 1;
  }
  return level;
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

import type { Digest } from '../model/frequency.ts';
import { PeopleSketch } from './people-sketch.ts';

/** Audiences whose look-ups a process counts; each takes 2 KiB. The look-ups of further ones are not counted. */
const COUNTED_MAX = 4096;

/** Look-ups of an audience since they were last taken. */
export interface MatchCount {
  audienceId: string;
  /** Bid requests in which a person was looked up. */
  lookUps: number;
  /** Look-ups that found the person. */
  matches: number;
  /** The people who were found. */
  people: PeopleSketch;
  /** Ids of the audience. */
  size: number;
}

/** Counts the look-ups of one audience. */
export class LookUpCounter implements MatchCount {
  readonly audienceId: string;
  lookUps = 0;
  matches = 0;
  people = new PeopleSketch();
  size = 0;

  constructor(audienceId: string) {
    this.audienceId = audienceId;
  }

  /** Counts a look-up; `digest` is the person's, or null for a person who is not in the audience. */
  count(digest: Digest | null): void {
    this.lookUps += 1;
    if (!digest) return;
    this.matches += 1;
    this.people.add(digest);
  }

  /** Returns the counts, and begins at 0. */
  take(): MatchCount {
    const { audienceId, lookUps, matches, people, size } = this;
    this.lookUps = 0;
    this.matches = 0;
    this.people = new PeopleSketch();
    return { audienceId, lookUps, matches, people, size };
  }

  add({ lookUps, matches, people }: MatchCount): void {
    this.lookUps += lookUps;
    this.matches += matches;
    this.people.merge(people);
  }
}

/** The look-ups of a process by audience, of a bounded number of audiences. */
export class MatchCounts {
  readonly #counters = new Map<string, LookUpCounter>();

  /** The counter of an audience in use; null where too many are counted. */
  of(audienceId: string): LookUpCounter | null {
    const known = this.#counters.get(audienceId);
    if (known) return known;
    if (this.#counters.size >= COUNTED_MAX) return null;
    const counter = new LookUpCounter(audienceId);
    this.#counters.set(audienceId, counter);
    return counter;
  }

  /** Removes an audience that is not in use any more. Look-ups that were not taken are lost. */
  delete(audienceId: string): void {
    this.#counters.delete(audienceId);
  }

  /** Removes and returns the counts that are not 0. */
  take(): MatchCount[] {
    const counted = [...this.#counters.values()].filter(({ lookUps }) => lookUps > 0);
    return counted.map((counter) => counter.take());
  }

  /** Adds counts that could not be stored. */
  giveBack(counts: readonly MatchCount[]): void {
    for (const count of counts) this.#counters.get(count.audienceId)?.add(count);
  }
}

/** Why a request of an exchange with a limit was read or not. */
export type ReadBy = 'all' | 'value' | 'random' | 'skipped';

/** Segments that are counted apart in a minute, and stored of it; the rest is one segment. */
const SEGMENTS_MAX = 300;
const STORED_MAX = 60;

/** The name of the rest. */
const REST = '';

/** What is counted of a segment: numbers of requests, and expected charges in micros. */
export interface SegmentCounts {
  offered: number;
  skipped: number;
  /** Requests whose value was known, of all and of those skipped, and their sums. */
  valued: number;
  micros: number;
  skippedValued: number;
  skippedMicros: number;
}

/** The values of {@link SegmentCounts}, in their order. */
type StoredSegment = [number, number, number, number, number, number];

/** {@link ShapingCounts} in the table of minutes. */
export interface StoredShaping extends Record<ReadBy, number> {
  /** Absent in minutes that an earlier release stored. */
  looked?: number;
  unread?: number;
  segments: Record<string, StoredSegment>;
}

/** The requests of an exchange with a limit: what was read, and what was skipped, by segment. Segments do not have those that their outlines refuse. */
export class ShapingCounts {
  readonly read: Record<ReadBy, number> = { all: 0, value: 0, random: 0, skipped: 0 };
  /** Requests that were looked at, also those that their outlines refused, and those that were refused unread because of the limit. */
  looked = 0;
  unread = 0;
  /** By country, system and format, separated by |; '' has those beyond {@link SEGMENTS_MAX}. */
  readonly segments = new Map<string, SegmentCounts>();

  get isEmpty(): boolean {
    return this.looked + this.unread === 0;
  }

  /** Counts a request. `micros`: the expected charge for its bids; null where that is not known. */
  count(by: ReadBy, segment: string, micros: number | null): void {
    this.read[by] += 1;
    const isSkipped = by === 'skipped' ? 1 : 0;
    const isValued = micros === null ? 0 : 1;
    const counts = this.#of(segment);
    counts.offered += 1;
    counts.skipped += isSkipped;
    counts.valued += isValued;
    counts.micros += micros ?? 0;
    counts.skippedValued += isSkipped * isValued;
    counts.skippedMicros += isSkipped * (micros ?? 0);
  }

  add(other: ShapingCounts): void {
    for (const by of Object.keys(this.read) as ReadBy[]) this.read[by] += other.read[by];
    this.looked += other.looked;
    this.unread += other.unread;
    for (const [segment, counts] of other.segments) addTo(this.#of(segment), counts);
  }

  clear(): void {
    for (const by of Object.keys(this.read) as ReadBy[]) this.read[by] = 0;
    this.looked = 0;
    this.unread = 0;
    this.segments.clear();
  }

  /** As it is stored, with the segments of the most value, and the rest as one. */
  stored(): StoredShaping {
    const segments: Record<string, StoredSegment> = {};
    for (const [
      segment,
      { offered, skipped, valued, micros, skippedValued, skippedMicros },
    ] of this.#largest())
      segments[segment] = [
        offered,
        skipped,
        valued,
        Math.round(micros),
        skippedValued,
        Math.round(skippedMicros),
      ];
    return { ...this.read, looked: this.looked, unread: this.unread, segments };
  }

  #largest(): [segment: string, counts: SegmentCounts][] {
    if (this.segments.size <= STORED_MAX) return [...this.segments];
    const named = [...this.segments].filter(([segment]) => segment !== REST);
    named.sort(([, a], [, b]) => b.micros - a.micros || b.offered - a.offered);
    const rest = noCounts();
    for (const [, counts] of named.splice(STORED_MAX - 1)) addTo(rest, counts);
    addTo(rest, this.segments.get(REST) ?? noCounts());
    return [...named, [REST, rest]];
  }

  #of(segment: string): SegmentCounts {
    const known = this.segments.get(segment);
    if (known) return known;
    const name = this.segments.size < SEGMENTS_MAX ? segment : REST;
    const counts = this.segments.get(name) ?? noCounts();
    this.segments.set(name, counts);
    return counts;
  }
}

function noCounts(): SegmentCounts {
  return { offered: 0, skipped: 0, valued: 0, micros: 0, skippedValued: 0, skippedMicros: 0 };
}

function addTo(
  sums: SegmentCounts,
  { offered, skipped, valued, micros, skippedValued, skippedMicros }: SegmentCounts,
): void {
  sums.offered += offered;
  sums.skipped += skipped;
  sums.valued += valued;
  sums.micros += micros;
  sums.skippedValued += skippedValued;
  sums.skippedMicros += skippedMicros;
}

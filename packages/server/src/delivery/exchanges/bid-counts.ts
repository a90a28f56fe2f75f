import { addToSum } from '../../platform/group-by.ts';
import { LATENCY_BUCKETS, latencyBucketOf } from '../../platform/telemetry/latency-buckets.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { ShapingCounts } from './shaping-counts.ts';

/** Outcomes of an exchange's bid requests. Plain numbers, since each request is counted. */
export class BidCounts {
  /** Requests that got at least one bid. */
  answered = 0;
  /** Bids sent; a response may have several. Without test requests. */
  bids = 0;
  /** Requests that are no bid request, or too long for one. */
  unreadable = 0;
  /** Requests that ended with an unexpected error. */
  failed = 0;
  /** Responses after the time limit of the exchange or of the request. */
  late = 0;
  /** Requests whose country was compared with the country of their address, and those with another one. */
  countryChecked = 0;
  countryMismatched = 0;
  /** Requests without a bid, by reason. */
  readonly noBids = new Map<NoBidReason, number>();
  /** Responses by latency, from the arrival of the request; see latencyBucketOf. */
  readonly latencies = new Float64Array(LATENCY_BUCKETS);
  latencySumMs = 0;
  /** Which requests of an exchange with a limit were read. */
  readonly shaping = new ShapingCounts();

  noBid(reason: NoBidReason): void {
    this.noBids.set(reason, (this.noBids.get(reason) ?? 0) + 1);
  }

  checkCountry(isSame: boolean): void {
    this.countryChecked += 1;
    if (!isSame) this.countryMismatched += 1;
  }

  observe(latencyMs: number): void {
    this.latencies[latencyBucketOf(latencyMs)]! += 1;
    this.latencySumMs += latencyMs;
  }

  /** All requests. */
  requests(): number {
    return this.answered + this.unreadable + this.failed + this.withoutBid();
  }

  /** Requests that were read and got no bid. */
  withoutBid(): number {
    let sum = 0;
    for (const count of this.noBids.values()) sum += count;
    return sum;
  }

  add(other: BidCounts): void {
    this.answered += other.answered;
    this.bids += other.bids;
    this.unreadable += other.unreadable;
    this.failed += other.failed;
    this.late += other.late;
    this.countryChecked += other.countryChecked;
    this.countryMismatched += other.countryMismatched;
    this.latencySumMs += other.latencySumMs;
    this.shaping.add(other.shaping);
    for (const [reason, count] of other.noBids) addToSum(this.noBids, reason, count);
    for (const [bucket, count] of other.latencies.entries()) this.latencies[bucket]! += count;
  }

  clear(): void {
    this.answered = 0;
    this.bids = 0;
    this.unreadable = 0;
    this.failed = 0;
    this.late = 0;
    this.countryChecked = 0;
    this.countryMismatched = 0;
    this.latencySumMs = 0;
    this.shaping.clear();
    this.noBids.clear();
    this.latencies.fill(0);
  }
}

/** The counts of a bidder by exchange. The number of exchanges bounds its size. */
export class BidCounters {
  /** Counts since the last {@link take}, and all counts before it. */
  readonly #exchanges = new Map<string, { recent: BidCounts; before: BidCounts }>();

  /** Where to count the next request of an exchange. */
  of(slug: string): BidCounts {
    let counts = this.#exchanges.get(slug);
    if (!counts) {
      counts = { recent: new BidCounts(), before: new BidCounts() };
      this.#exchanges.set(slug, counts);
    }
    return counts.recent;
  }

  /** Passes on the counts since the last call, by exchange. */
  take(receive: (slug: string, counts: BidCounts) => void): void {
    for (const [slug, { recent, before }] of this.#exchanges) {
      if (recent.requests() === 0) continue;
      receive(slug, recent);
      before.add(recent);
      recent.clear();
    }
  }

  /** All counts since the start, by exchange. */
  *totals(): Generator<[slug: string, counts: BidCounts]> {
    for (const [slug, { recent, before }] of this.#exchanges) {
      const total = new BidCounts();
      total.add(before);
      total.add(recent);
      yield [slug, total];
    }
  }
}

import { Counter, type Registry } from 'prom-client';
import { registerHistogram } from '../../platform/telemetry/metrics.ts';
import { LATENCY_BOUNDS_MS } from '../../platform/telemetry/latency-buckets.ts';
import type { DeliveryEvent } from '../model/event.ts';
import type { BidCounters, BidCounts } from './bid-counts.ts';
import { mediaCostMicros } from './exchange-minutes.ts';

/** Bounds of the histogram in /metrics, seconds: each is one of the bounds that latencies are counted by. */
const BOUNDS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Registers the metrics of bid requests, which are read from the counts when they are scraped. */
export function registerBidMetrics(registry: Registry, counters: BidCounters): void {
  const counter = (
    name: string,
    help: string,
    label: string | null,
    values: (counts: BidCounts) => Iterable<readonly [label: string, value: number]>,
  ): void =>
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: label === null ? ['ssp'] : ['ssp', label],
        registers: [],
        collect() {
          this.reset();
          for (const [ssp, counts] of counters.totals())
            for (const [value, count] of values(counts))
              if (count > 0) this.inc(label === null ? { ssp } : { ssp, [label]: value }, count);
        },
      }),
    );
  counter('bidwell_bid_requests_total', 'Bid requests by outcome', 'outcome', (counts) => [
    ['bid', counts.answered],
    ['no_bid', counts.withoutBid()],
    ['unreadable', counts.unreadable],
    ['failed', counts.failed],
  ]);
  counter('bidwell_no_bids_total', 'Bid requests without a bid, by reason', 'reason', ({ noBids }) => noBids);
  counter('bidwell_bids_total', 'Bids sent, without tests', null, ({ bids }) => [['', bids]]);
  counter(
    'bidwell_late_responses_total',
    'Responses after the time limit of the exchange or of the request',
    null,
    ({ late }) => [['', late]],
  );
  registerHistogram(
    registry,
    {
      name: 'bidwell_bid_duration_seconds',
      help: 'Time from the arrival of a bid request to its response',
      label: 'ssp',
      bounds: BOUNDS_SECONDS,
    },
    function* () {
      for (const [ssp, { latencies, latencySumMs }] of counters.totals())
        yield [ssp, { counts: countsWithin(latencies), sum: latencySumMs / 1000 }];
    },
  );
}

/** Counts of latencies between the bounds of /metrics, and beyond the last. */
function countsWithin(latencies: Float64Array): number[] {
  const counts = [...BOUNDS_SECONDS, Infinity].map(() => 0);
  let index = 0;
  for (const [bucket, count] of latencies.entries()) {
    const boundMs = LATENCY_BOUNDS_MS[bucket] ?? Infinity;
    while (index < BOUNDS_SECONDS.length && boundMs > BOUNDS_SECONDS[index]! * 1000) index += 1;
    counts[index]! += count;
  }
  return counts;
}

/** Kinds of events that are counted by exchange. */
const KINDS: ReadonlySet<string> = new Set(['win', 'billing', 'loss', 'impression', 'click']);
const MICROS = 1_000_000;

/** Registers the metrics of counted events. Returns the listener that counts them. */
export function registerEventMetrics(registry: Registry): (events: readonly DeliveryEvent[]) => void {
  const kinds = new Counter({
    name: 'bidwell_exchange_events_total',
    help: 'Counted notices, impressions and clicks by exchange, without tests and duplicates',
    labelNames: ['ssp', 'kind'],
    registers: [registry],
  });
  const spend = new Counter({
    name: 'bidwell_spend_dollars_total',
    help: 'What exchanges charged for counted events, without margins',
    labelNames: ['ssp'],
    registers: [registry],
  });
  return (events) => {
    for (const event of events) {
      const { kind, ref } = event;
      if (ref.test) continue;
      if (KINDS.has(kind)) kinds.inc({ ssp: ref.exchange, kind });
      const micros = mediaCostMicros(event);
      if (micros > 0) spend.inc({ ssp: ref.exchange }, micros / MICROS);
    }
  };
}

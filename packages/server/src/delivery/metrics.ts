import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import { BucketHistogram } from '../platform/telemetry/bucket-histogram.ts';
import { Tally } from '../platform/telemetry/tally.ts';

/** Creates the metrics of delivery. */
export function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const tally = (name: string, help: string, labelNames: [string, string]) =>
    new Tally(registry, name, help, labelNames);
  return {
    requests: tally('bidwell_bid_requests_total', 'Bid requests by outcome', ['ssp', 'outcome']),
    noBids: tally('bidwell_no_bids_total', 'Bid requests without a bid, by reason', ['ssp', 'reason']),
    faults: counter(
      'bidwell_adset_faults_total',
      'Bids and snapshots that excluded an ad set because of an error',
      ['fault'],
    ),
    supplyChains: tally('bidwell_supply_chains_total', 'Bid requests by the state of their supply chain', [
      'ssp',
      'chain',
    ]),
    trackers: tally('bidwell_tracker_requests_total', 'Notices, impressions and clicks by outcome', [
      'kind',
      'outcome',
    ]),
    unpriced: counter(
      'bidwell_unpriced_notices_total',
      'Chargeable notices without a readable price, by reason',
      ['ssp', 'reason'],
    ),
    postbacks: counter('bidwell_postbacks_total', 'Postbacks of measurement partners by outcome', [
      'mmp',
      'outcome',
    ]),
    funnel: counter(
      'bidwell_funnel_requests_total',
      'Bid requests that were explained for the delivery funnel',
      ['what'],
    ),
    duration: new BucketHistogram(
      registry,
      'bidwell_bid_duration_seconds',
      'Time from the body of a bid request to its response',
      [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05],
    ),
  };
}

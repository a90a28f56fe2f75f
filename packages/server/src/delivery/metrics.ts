import { Counter, type Registry } from 'prom-client';
import { Tally } from '../platform/telemetry/metrics.ts';
import { BidCounters } from './exchanges/bid-counts.ts';
import { registerBidMetrics } from './exchanges/exchange-metrics.ts';

/** Creates the metrics of delivery. */
export function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const tally = (name: string, help: string, labelNames: [string, string]) =>
    new Tally(registry, name, help, labelNames);
  const bidCounters = new BidCounters();
  registerBidMetrics(registry, bidCounters);
  return {
    bidCounters,
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
    feedback: tally('bidwell_bid_feedback_total', 'Feedback on earlier bids in bid requests, by outcome', [
      'ssp',
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
    unsigned: counter(
      'bidwell_unsigned_bids_total',
      'Bids sent without the signatures of SKAdNetwork that they could have had, by reason',
      ['reason'],
    ),
    installPostbacks: counter(
      'bidwell_install_postbacks_total',
      'Postbacks of SKAdNetwork and AdAttributionKit by outcome',
      ['outcome'],
    ),
    funnel: counter(
      'bidwell_funnel_requests_total',
      'Bid requests that were explained for the delivery funnel',
      [],
    ),
  };
}

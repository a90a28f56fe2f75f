import type { Micros } from '@bidwell/contract/lib/money';

/** Counters of an exchange since its start. */
export interface Counts {
  requests: number;
  /** Requests with the response 204. */
  noBids: number;
  /** Bids that entered an auction. */
  bids: number;
  /** Responses later than the request's tmax. */
  late: number;
  /** Malformed requests with the response 400, as expected. */
  refused: number;
  /** Bids in responses that the exchange's rules refuse. */
  rejectedBids: number;
  /** Bids with creatives that the exchange had not reviewed yet. */
  unreviewed: number;
  /** Invalid bid responses, other statuses and broken connections. */
  badAnswers: number;
  /** Requests not sent because too many were in flight. */
  skipped: number;
  wins: number;
  losses: number;
  impressions: number;
  clicks: number;
  installs: number;
  /** Events in the apps that partners reported. */
  appEvents: number;
  /** Cost of the billed impressions, by this exchange's clearing prices. */
  spendMicros: Micros;
  /** Calls to the server that failed or got a status of 400 or above. */
  noticeFailures: number;
  /** Notices that this exchange dropped on purpose. */
  lostNotices: number;
  /** URLs on other hosts, which were not called. */
  foreignAddresses: number;
}

export function emptyCounts(): Counts {
  return {
    requests: 0,
    noBids: 0,
    bids: 0,
    late: 0,
    refused: 0,
    rejectedBids: 0,
    unreviewed: 0,
    badAnswers: 0,
    skipped: 0,
    wins: 0,
    losses: 0,
    impressions: 0,
    clicks: 0,
    installs: 0,
    appEvents: 0,
    spendMicros: 0,
    noticeFailures: 0,
    lostNotices: 0,
    foreignAddresses: 0,
  };
}

/** The sum of two exchanges' counters. */
export function addCounts(a: Readonly<Counts>, b: Readonly<Counts>): Counts {
  const sum = emptyCounts();
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] = a[name] + b[name];
  return sum;
}

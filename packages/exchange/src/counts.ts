import type { Micros } from '@bidwell/contract/money';

/** What the exchange did and saw since it started. */
export interface Counts {
  requests: number;
  /** Requests answered 204. */
  noBids: number;
  /** Bids that entered an auction. */
  bids: number;
  /** Answers later than the request's tmax. */
  late: number;
  /** Faulty requests answered 400, as they ought to be. */
  refused: number;
  /** Answers that are no bid response, other statuses, broken connections. */
  badAnswers: number;
  /** Requests not made because too many were waiting. */
  skipped: number;
  wins: number;
  losses: number;
  impressions: number;
  clicks: number;
  installs: number;
  /** What the billed impressions cost, by this exchange's prices. */
  spendMicros: Micros;
  /** Calls to the server that failed or were answered 400 and above. */
  noticeFailures: number;
  /** Notices that this exchange lost on the way. */
  lostNotices: number;
  /** Addresses that lead elsewhere and were not called. */
  foreignAddresses: number;
}

export function emptyCounts(): Counts {
  return {
    requests: 0,
    noBids: 0,
    bids: 0,
    late: 0,
    refused: 0,
    badAnswers: 0,
    skipped: 0,
    wins: 0,
    losses: 0,
    impressions: 0,
    clicks: 0,
    installs: 0,
    spendMicros: 0,
    noticeFailures: 0,
    lostNotices: 0,
    foreignAddresses: 0,
  };
}

import type {
  DeliveryFunnel,
  DeliveryStep,
  Estimate,
  LossesByCode,
  MinToWin,
} from '@bidwell/contract/insight/delivery-report';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_STEPS } from '@bidwell/contract/insight/funnel';
import type { Counts } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { groupBy } from '../../../platform/group-by.ts';
import type { ExitRow, LossRow } from './store.ts';

/** Half the width of a 95 % interval, in standard deviations. */
const SIGMAS = 1.96;

/** A sum over samples with its variance. */
interface Sum {
  requests: number;
  variance: number;
}

/** What is known of an ad set, or of several, in a period. */
export interface FunnelFacts {
  exits: readonly Pick<ExitRow, 'exit' | 'requests' | 'samples' | 'variance'>[];
  /** One for each code. */
  losses: readonly LossRow[];
  counts: Readonly<Counts>;
}

/**
 * The funnel of these rows. Each step has the requests of the step before without those that left in between, so the
 * steps add up to the last sampled request.
 */
export function funnelFrom({ exits, losses, counts }: FunnelFacts): DeliveryFunnel {
  const sampled = exits.filter(({ exit }) => exit !== 'sent');
  const byExit = groupBy(sampled, ({ exit }) => exit);
  const remaining = sumOf(sampled);
  const seen = estimateOf(remaining);
  const steps: DeliveryStep[] = FUNNEL_STEPS.map(({ step, exits: names }) => {
    const left = (names as readonly FunnelExit[])
      .map((exit) => ({ exit, sum: sumOf(byExit.get(exit) ?? []) }))
      .filter(({ sum }) => sum.requests > 0)
      .toSorted((a, b) => b.sum.requests - a.sum.requests);
    for (const { sum } of left) {
      remaining.requests -= sum.requests;
      remaining.variance -= sum.variance;
    }
    return {
      step,
      requests: estimateOf(remaining),
      exits: left.map(({ exit, sum }) => ({ exit, requests: estimateOf(sum) })),
    };
  });
  return {
    seen,
    samples: sampled.reduce((sum, row) => sum + row.samples, 0),
    steps,
    bids: sumOf(exits.filter(({ exit }) => exit === 'sent')).requests,
    wins: counts.wins ?? 0,
    losses: counts.losses ?? 0,
    losses_by_code: losses.map(lossesOfCode).toSorted((a, b) => b.losses - a.losses || a.code - b.code),
    impressions: counts.impressions,
    clicks: counts.clicks,
    installs: counts.installs,
    spend: toDollars(counts.spendMicros),
  };
}

/** An estimate from the sum of a sample. */
export function estimateOf({ requests, variance }: Sum): Estimate {
  return { value: requests, error: Math.round(SIGMAS * Math.sqrt(Math.max(0, variance))) };
}

function sumOf(rows: readonly Sum[]): Sum {
  const sum = { requests: 0, variance: 0 };
  for (const { requests, variance } of rows) {
    sum.requests += requests;
    sum.variance += variance;
  }
  return sum;
}

function lossesOfCode(row: LossRow): LossesByCode {
  const { code, losses, priced, medianCpmMicros, mostCpmMicros } = row;
  if (medianCpmMicros === null || mostCpmMicros === null) return { code, losses, min_to_win: null };
  return {
    code,
    losses,
    min_to_win: {
      losses: priced,
      median_cpm: toDollars(medianCpmMicros),
      p80_cpm: toDollars(mostCpmMicros),
      value: valueOf(row),
    },
  };
}

function valueOf({ valued, medianValueMicros, medianFactor, mostFactor }: LossRow): MinToWin['value'] {
  if (medianValueMicros === null || medianFactor === null || mostFactor === null) return null;
  return {
    losses: valued,
    median_cpm: toDollars(medianValueMicros),
    median_factor: medianFactor,
    p80_factor: mostFactor,
  };
}

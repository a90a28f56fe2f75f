import { QUARTERS } from '@bidwell/server/delivery/pacing/pace';
import type { SimulationSettings } from './pacing-simulation.ts';
import { candidateOf } from './candidates.ts';

/** Traffic profiles: relative traffic by quarter hour of a company's day. */
export const TRAFFIC_PROFILES = {
  flat: () => 1,
  wave: (quarter: number) => 1 + 0.8 * Math.sin(((quarter - 36) / QUARTERS) * 2 * Math.PI),
  evening: (quarter: number) => (quarter >= 72 && quarter < 88 ? 8 : 0.5),
  'two peaks': (quarter: number) =>
    0.2 + Math.exp(-(((quarter - 32) / 6) ** 2)) + 2 * Math.exp(-(((quarter - 80) / 8) ** 2)),
} as const;

/** A simulated day with lost, late and repeated notices, clock skew and killed bidders. */
export function adverseConditions(
  over: Partial<SimulationSettings> & { traffic?: keyof typeof TRAFFIC_PROFILES } = {},
): SimulationSettings {
  const { traffic = 'flat', ...rest } = over;
  return {
    seed: 7,
    days: 1,
    startMs: Date.parse('2026-05-04T00:00:00Z'),
    stepMs: 1000,
    bidders: 8,
    adsets: [candidateOf({ dailyBudgetMicros: 20_000_000 })],
    fundsMicros: 1e12,
    trafficProfile: Array.from({ length: QUARTERS }, (_, quarter) => TRAFFIC_PROFILES[traffic](quarter)),
    offersPerDay: 200_000,
    bidMicros: 2000,
    clearingMicros: 1600,
    wins: 0.3,
    lossNotices: 0.7,
    lostNotices: 0.02,
    duplicateNotices: 0.05,
    lateNotices: 0.02,
    skewMs: 120_000,
    kills: [5, 12, 18.5],
    ...rest,
  };
}

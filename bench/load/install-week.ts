/** A week of an advertiser on the sample exchange whose click and install rates the bidder must learn. */
import type { Algorithm } from '@bidwell/contract/adsets/goals';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { clickProbability, installProbability } from '@bidwell/exchange/behaviour';
import { seededRandom } from '@bidwell/exchange/random';
import { trafficLevelAt } from '@bidwell/exchange/traffic/countries';
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import type { BidRef, EventKind } from '@bidwell/server/delivery/model/event';
import { LearningSums } from '@bidwell/server/delivery/learning/counts';
import { formatKeyOf } from '@bidwell/server/delivery/model/candidate';
import { adsetRowOf, bannerOf } from '@bidwell/testing/pacing/candidates';
import {
  type WonImpression,
  leaseBudgets,
  offerOpportunity,
  rivalsOf,
  simulatedBidder,
  simulatedWorld,
} from './simulated-bidder.ts';

export const DAYS = 7;
const DAY_MS = 86_400_000;
export const STARTS_AT_MS = Date.parse('2026-05-04T00:00:00Z');
const SEED = 20_260_504;
const SIZES = [
  [320, 50],
  [320, 100],
  [300, 250],
  [320, 480],
  [480, 320],
  [728, 90],
  [336, 280],
  [768, 1024],
  [1024, 768],
] as const;

export interface WeekSettings {
  algorithm: Algorithm;
  cpmDollars: number;
  cpiDollars?: number;
  dailyBudgetMicros: Micros | null;
}

export interface Week {
  spentMicros: number;
  impressions: number;
  /** Expected installs: the sum of the true probabilities of the bought impressions. */
  installs: number;
  sampledInstalls: number;
  /** Predicted and true install probabilities of impressions in the second half of the week. */
  predictions: { predicted: number; truth: number }[];
}

/** Banners of all sizes of the sample exchange, three of each. */
export function creativesOfThreeDrafts() {
  return [0, 1, 2].flatMap((draft) =>
    SIZES.map(([width, height]) => ({
      ...bannerOf(width, height),
      uuid: `00000000-0000-7000-8000-${String(draft * 100 + SIZES.findIndex(([w, h]) => w === width && h === height)).padStart(12, '0')}`,
    })),
  );
}

export interface WeekOf {
  requestsPerDay: number;
  /** How long events are added up before they are learned. The server's 0.2 s would add up none at this traffic. */
  batchMs: number;
}

/** Simulates the week for one advertiser; all advertisers get the same people, slots, rival bids and random numbers. */
export function runWeek(settings: WeekSettings, { requestsPerDay, batchMs }: WeekOf): Week {
  const random = seededRandom(SEED);
  const chance = seededRandom(SEED + 1);
  const traffic = createTraffic({ random, worldSeed: SEED, secure: true });
  const creatives = creativesOfThreeDrafts();
  const row = adsetRowOf({
    adsetId: '00000000-0000-7000-8000-0000000000ad',
    algorithm: settings.algorithm,
    cpmMicros: toMicros(settings.cpmDollars),
    cpiMicros: settings.cpiDollars === undefined ? null : toMicros(settings.cpiDollars),
    dailyBudgetMicros: settings.dailyBudgetMicros,
    creatives,
  });
  const world = simulatedWorld(STARTS_AT_MS, chance);
  const bidder = simulatedBidder(world, [row]);
  const { clock, learning } = world;
  const sums = new LearningSums();
  let learnedAtMs = STARTS_AT_MS;
  const learn = (nowMs: number): void => {
    if (nowMs - learnedAtMs < batchMs) return;
    learnedAtMs = nowMs;
    learning.learn(sums.take(), nowMs, () => row.cpiMicros);
  };
  const week: Week = { spentMicros: 0, impressions: 0, installs: 0, sampledInstalls: 0, predictions: [] };
  const later: { atMs: number; happen: () => void }[] = [];

  const onBid = (ref: BidRef): void => {
    sums.addBid(ref);
    learn(clock.nowMs);
  };
  const onWin = ({ ref, valuation, spendMicros, impression }: WonImpression): void => {
    const { nowMs } = clock;
    const happen = (kind: EventKind, atMs: number): void => {
      const spentMicros = kind === 'billing' ? spendMicros : 0;
      sums.addEvent({ kind, atMs, ref, spendMicros: spentMicros, lossReason: 0, mark: '' });
      learn(atMs);
    };
    week.spentMicros += spendMicros;
    week.impressions += 1;
    const clickChance = clickProbability(impression);
    const installChance = installProbability(impression);
    week.installs += clickChance * installChance;
    if (nowMs > STARTS_AT_MS + (DAYS / 2) * DAY_MS) {
      const { creativeType: type, width, height } = ref;
      const predicted = valuation.predict(formatKeyOf({ type: type as CreativeType, width, height }));
      week.predictions.push({
        predicted: predicted.rateOf(ref),
        truth: clickChance * installChance,
      });
    }
    happen('billing', nowMs);
    happen('impression', nowMs);
    if (chance() >= clickChance) return;
    later.push({ atMs: nowMs + 5000, happen: () => happen('click', nowMs + 5000) });
    if (chance() >= installChance) return;
    week.sampledInstalls += 1;
    later.push({ atMs: nowMs + 600_000, happen: () => happen('install', nowMs + 600_000) });
  };

  const typicalGapMs = DAY_MS / requestsPerDay;
  for (let nowMs = STARTS_AT_MS; nowMs < STARTS_AT_MS + DAYS * DAY_MS;) {
    while (later[0] && later[0].atMs <= nowMs) later.shift()!.happen();
    clock.nowMs = nowMs;
    leaseBudgets(world, bidder);
    const opportunity = traffic.next(nowMs);
    const rivals = rivalsOf(opportunity, random);
    if (opportunity.person.os === 'android')
      offerOpportunity(world, bidder, opportunity, rivals, { onBid, onWin });
    nowMs += typicalGapMs / trafficLevelAt(nowMs);
  }
  return week;
}

import type { ClickHouse } from '../platform/clickhouse/client.ts';
import { type RepeatingJob, repeat } from '../platform/jobs/repeat.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { historyOfDay } from './event-store/event-store.ts';
import { adsetsOfReEngagement } from './snapshot/adset-store.ts';
import type { LearningFeed } from './learning/feed.ts';
import type { Learning } from './learning/learning.ts';
import { ValueLearner } from './learning/value-learner.ts';
import type { Traffic } from './pacing/traffic-profile.ts';
import type { SnapshotService } from './snapshot/service.ts';

const DAY_MS = 24 * 3_600_000;
/** Days of history to learn from: older events say little about today's impressions. */
const HISTORY_DAYS = 30;
/** Limits of the history read at start: the newest days, which matter most, are read first. */
const HISTORY_ROWS_MAX = 100_000;
const HISTORY_BUDGET_MS = 2000;
/** How often goals are looked for whose values are due to be learned. */
const LOOK_EVERY_MS = 2000;
/** How long a new snapshot waits for the models of goals that no ad set had before. */
const PREPARE_MS = 500;

interface Restored {
  learning: Learning;
  traffic: Traffic;
  snapshot: SnapshotService;
  feed: LearningFeed;
}

/** The job that learns values of installs, and the call that waits for the values of a goal. */
export type ValueLearning = RepeatingJob & Pick<ValueLearner, 'known'>;

/**
 * Starts learning in a process that bids or forecasts; only a bidder waits for it to start. Returns the job that learns
 * values of installs; null in a process that does neither.
 */
export async function startLearning(deps: DeliveryDeps, parts: Restored): Promise<ValueLearning | null> {
  if (deps.bids) await restoreLearning(deps, parts);
  else if (deps.forecasts)
    void restoreLearning(deps, parts).catch((err: unknown) =>
      deps.log.error({ err }, 'learned rates could not be restored'),
    );
  if (!deps.bids && !deps.forecasts) return null;
  const { snapshot, learning } = parts;
  const candidates = () => snapshot.current().candidates;
  const learner = new ValueLearner({ ...deps, values: learning.values, candidates });
  if (deps.bids)
    snapshot.beforeSwap(async (next) => {
      if (deps.clickhouseReady.isDone()) await learner.prepare(next.candidates, PREPARE_MS);
    });
  const job = repeat(LOOK_EVERY_MS, 'learn values of installs', deps.log, () => learner.learn(), [
    deps.clickhouseReady,
  ]);
  return { known: (adset) => learner.known(adset), stop: () => job.stop() };
}

/** Restores the learned rates of a bidder, and lets it learn from all events and bids from now on. */
async function restoreLearning(
  { db, startup, postgres, clickhouse, clickhouseReady, now }: DeliveryDeps,
  { learning, traffic, snapshot, feed }: Restored,
): Promise<void> {
  await startup.attempt('learn traffic profiles', () => traffic.learn(), [postgres]);
  const restoreCounts = async () =>
    restoreHistory(learning, clickhouse, now().getTime(), await adsetsOfReEngagement(db));
  await startup.attempt('restore learned rates', restoreCounts, [clickhouseReady, postgres]);
  feed.subscribe((counts) =>
    learning.learn(counts, now().getTime(), ({ adsetId, bundle, country }) => {
      const adset = snapshot.running(adsetId);
      return adset ? learning.values.micros(adset, bundle, country) : null;
    }),
  );
}

/**
 * Learns from events that were stored before this process started, as far as two seconds suffice to read them; without some ad sets.
 */
export async function restoreHistory(
  learning: Learning,
  clickhouse: ClickHouse,
  nowMs: number,
  withoutAdsets: readonly string[] = [],
): Promise<void> {
  const startedMs = performance.now();
  let rows = 0;
  for (let day = 0; day < HISTORY_DAYS && rows < HISTORY_ROWS_MAX; day += 1) {
    const history = await historyOfDay(clickhouse, nowMs - day * DAY_MS, withoutAdsets);
    learning.restoreCounts(history);
    rows += history.length;
    if (performance.now() - startedMs > HISTORY_BUDGET_MS) return;
  }
}

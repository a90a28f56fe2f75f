import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { type FairQueue, fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { inTime } from '../../platform/concurrency/in-time.ts';
import { groupBy } from '../../platform/group-by.ts';
import { eventRulesOf, revenueSourcesBy } from '../../platform/postgres/stores/event-rules-store.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import type { InstallValues } from './install-values.ts';
import { LearnedGoal } from './value-model.ts';
import { readGoal } from './value-store.ts';

/** How often a goal is read again. */
const LEARN_EVERY_MS = 5 * 60_000;
/** Goals of companies that are read at the same time, of which each company has one. */
const COMPANIES_AT_ONCE = 2;
/** Goals of a company that are read in one turn, those first that were read the longest ago, and how long a turn begins reads. */
const GOALS_MAX = 50;
const TURN_MS = 10_000;
/** Reads that wait, of a company and of all, and how long. */
const WAITING = { waiting: 1000, waitingEach: 2 * GOALS_MAX, waitMs: 60_000 } as const;
/** A company whose goals could not be read is left out for longer and longer, from the first to the last of these. */
const BACKOFF_MS = 15_000;
const BACKOFF_MAX_MS = 3_600_000;
/** Goals that only forecasts ask for: how many are kept, and how long after they were last asked for. */
const DRAFTS_MAX = 100;
const DRAFT_MS = 10 * 60_000;

/** Dependencies of {@link ValueLearner}. */
export interface ValueLearnerDeps {
  db: Db;
  clickhouse: ClickHouse;
  log: Logger;
  now: () => Date;
  values: InstallValues;
  /** The ad sets that run. */
  candidates: () => readonly LearningAdset[];
}

/** An ad set, as far as it decides what is learned for it. */
export type LearningAdset = Pick<CompiledAdset, 'companyId' | 'app' | 'goal'>;
type GoalAdset = LearningAdset & { goal: Goal };

/** When a goal was read, and when it was asked for by others than running ad sets, Unix ms. */
interface GoalState {
  readAtMs: number;
  askedAtMs: number;
}

/**
 * Learns what installs are worth to the ad sets with a goal of value. Of each company only its own events are read, and move its own
 * bids alone.
 */
export class ValueLearner {
  readonly #deps: ValueLearnerDeps;
  /** By the key of the goal; those that were read. */
  readonly #goals = new Map<string, GoalState>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Companies whose last read failed. */
  readonly #failed = new Map<string, { failures: number; notBeforeMs: number }>();
  readonly #queue: FairQueue = fairQueue(
    { running: COMPANIES_AT_ONCE, runningEach: 1, ...WAITING },
    'values of installs',
  );

  constructor(deps: ValueLearnerDeps) {
    this.#deps = deps;
  }

  /** Reads the goals of running ad sets that are due. A company that fails keeps what is known, and stops none of the others. */
  async learn(): Promise<void> {
    const running = this.#deps.candidates().filter(hasGoal);
    this.#evict(new Set(running.map(({ goal }) => goal.key)));
    const byCompany = groupBy(running, ({ companyId }) => companyId);
    for (const companyId of this.#failed.keys())
      if (!byCompany.has(companyId)) this.#failed.delete(companyId);
    await Promise.all([...byCompany.values()].map((adsets) => this.#learnCompany(adsets)));
  }

  /**
   * Reads the goals among these ad sets that were never read. Resolves when they are, or could not be, and at the latest after
   * `withinMs`; never rejects. So a new ad set bids at once by what its app knows.
   */
  async prepare(adsets: readonly LearningAdset[], withinMs: number): Promise<void> {
    const unread = new Map<string, GoalAdset>();
    for (const adset of adsets)
      if (hasGoal(adset) && !this.#goals.has(adset.goal.key) && this.#isAllowed(adset.companyId))
        unread.set(adset.goal.key, adset);
    if (unread.size === 0) return;
    const read = Promise.allSettled([...unread.values()].map((adset) => this.known(adset)));
    await inTime(read, withinMs, 'late').catch(() => {});
  }

  /**
   * Resolves when the goal of an ad set, which need not run, is known; at once where it has none, or was read before: then it is read
   * again in the background, if that was more than five minutes ago. Rejects where it cannot be read.
   */
  async known(adset: LearningAdset): Promise<void> {
    if (!hasGoal(adset)) return;
    const nowMs = this.#nowMs();
    const known = this.#goals.get(adset.goal.key);
    if (!known) await this.#read(adset);
    else if (nowMs - known.readAtMs >= LEARN_EVERY_MS) void this.#read(adset).catch(() => {});
    const state = this.#goals.get(adset.goal.key);
    if (state) state.askedAtMs = nowMs;
  }

  async #learnCompany(adsets: readonly GoalAdset[]): Promise<void> {
    const [{ companyId }] = adsets as [GoalAdset];
    if (!this.#isAllowed(companyId)) return;
    const beganMs = performance.now();
    const nowMs = this.#nowMs();
    const readAtMs = ({ goal }: GoalAdset): number => this.#goals.get(goal.key)?.readAtMs ?? -Infinity;
    const due = [...new Map(adsets.map((adset) => [adset.goal.key, adset])).values()]
      .filter((adset) => nowMs - readAtMs(adset) >= LEARN_EVERY_MS)
      .toSorted((a, b) => readAtMs(a) - readAtMs(b) || 0)
      .slice(0, GOALS_MAX);
    for (const adset of due) {
      if (performance.now() - beganMs > TURN_MS) return;
      // Its failure is logged, and the company left out for a while.
      const isRead = await this.#read(adset).then(
        () => true,
        () => false,
      );
      if (!isRead) return;
    }
  }

  /** Reads a goal in the turn of its company. Callers of the same goal share one read. Throws what the database does. */
  #read(adset: GoalAdset): Promise<void> {
    const { companyId, goal } = adset;
    const running = this.#reading.get(goal.key);
    if (running) return running;
    const read = this.#queue
      .run(companyId, () => this.#readNow(adset))
      .finally(() => this.#reading.delete(goal.key));
    this.#reading.set(goal.key, read);
    return read;
  }

  async #readNow({ companyId, app, goal }: GoalAdset): Promise<void> {
    const { db, clickhouse, log, values, candidates } = this.#deps;
    const nowMs = this.#nowMs();
    try {
      const sources = revenueSourcesBy(await eventRulesOf(db, companyId))(app.uuid);
      const { event, windowMs } = goal;
      const question = { companyId, appId: app.uuid, event, windowMs, sources };
      const record = await readGoal(clickhouse, question, nowMs);
      // The lowest, by which few amounts of money are believed.
      const assumed = [goal, ...candidates().flatMap(({ goal: of }) => (of?.key === goal.key ? of : []))].map(
        ({ priorInstallMicros, price }) => priorInstallMicros / price,
      );
      values.set(goal.key, new LearnedGoal(record, Math.min(...assumed)));
      this.#goals.set(goal.key, {
        readAtMs: nowMs,
        askedAtMs: this.#goals.get(goal.key)?.askedAtMs ?? -Infinity,
      });
      this.#failed.delete(companyId);
    } catch (err) {
      const failures = (this.#failed.get(companyId)?.failures ?? 0) + 1;
      const notBeforeMs = nowMs + backoffMs(BACKOFF_MS, failures, BACKOFF_MAX_MS);
      this.#failed.set(companyId, { failures, notBeforeMs });
      log.warn({ err, companyId }, 'the values of installs of a company could not be learned');
      throw err;
    }
  }

  /** Deletes what is known of goals that no ad set has any more, and no forecast asks for. */
  #evict(running: ReadonlySet<string>): void {
    const nowMs = this.#nowMs();
    const drafts = [...this.#goals]
      .filter(([key]) => !running.has(key))
      .toSorted(([, a], [, b]) => b.askedAtMs - a.askedAtMs);
    for (const [index, [key, { askedAtMs }]] of drafts.entries()) {
      if (index < DRAFTS_MAX && nowMs - askedAtMs < DRAFT_MS) continue;
      this.#goals.delete(key);
      this.#deps.values.delete(key);
    }
  }

  #isAllowed(companyId: string): boolean {
    return (this.#failed.get(companyId)?.notBeforeMs ?? -Infinity) <= this.#nowMs();
  }

  #nowMs(): number {
    return this.#deps.now().getTime();
  }
}

function hasGoal<Adset extends LearningAdset>(adset: Adset): adset is Adset & { goal: Goal } {
  return adset.goal !== null;
}

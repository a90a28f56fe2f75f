import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import { groupBy } from '../../platform/group-by.ts';
import { eventRulesOf, revenueSourcesBy } from '../../platform/postgres/stores/event-rules-store.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { Step } from '../../platform/startup.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import type { InstallValues, LearnedGoals } from './install-values.ts';
import { LearnedGoal } from './value-model.ts';
import { readGoal } from './value-store.ts';

/** How often a company's values are learned, and how often a new company is looked for. */
const LEARN_EVERY_MS = 5 * 60_000;
const LOOK_EVERY_MS = 15_000;
/** Companies whose goals are read at the same time. */
const COMPANIES_AT_ONCE = 2;
/** Goals that are read of a company; the others keep their prior. */
const GOALS_MAX = 50;
/** A company whose goals could not be read is left out for longer and longer, up to this. */
const BACKOFF_MAX_MS = 3_600_000;

/** Dependencies of {@link startValueLearner}. */
export interface ValueLearnerDeps {
  db: Db;
  clickhouse: ClickHouse;
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  values: InstallValues;
  /** The ad sets that run. */
  candidates: () => readonly Candidate[];
}

/** An ad set with a goal of value. */
type GoalAdset = Candidate & { goal: Goal };

/** What is known of a company, by ad set, and when it is learned again. */
interface CompanyState {
  learned: LearnedGoals;
  failures: number;
  notBeforeMs: number;
}

/** Learns what installs are worth to the ad sets with a goal of value, soon after the start and every five minutes. */
export function startValueLearner(deps: ValueLearnerDeps): RepeatingJob {
  const learner = new ValueLearner(deps);
  return repeat(LOOK_EVERY_MS, 'learn values of installs', deps.log, () => learner.learn(), [
    deps.clickhouseReady,
  ]);
}

/** See {@link startValueLearner}. Of each company only its own events are read, and move its own bids alone. */
export class ValueLearner {
  readonly #deps: Omit<ValueLearnerDeps, 'clickhouseReady'>;
  readonly #companies = new Map<string, CompanyState>();

  constructor(deps: Omit<ValueLearnerDeps, 'clickhouseReady'>) {
    this.#deps = deps;
  }

  /** Reads and learns the goals of all companies that are due. A company that fails keeps what is known, and stops none of the others. */
  async learn(): Promise<void> {
    const { candidates, log, values } = this.#deps;
    const byCompany = groupBy(candidates().filter(hasGoal), ({ companyId }) => companyId);
    for (const [companyId, { learned }] of this.#companies) {
      if (byCompany.has(companyId)) continue;
      this.#companies.delete(companyId);
      values.replace(learned.keys(), new Map());
    }
    const limit = pLimit(COMPANIES_AT_ONCE);
    const nowMs = this.#deps.now().getTime();
    await Promise.all(
      [...byCompany].map(([companyId, adsets]) =>
        limit(async () => {
          const before = this.#companies.get(companyId) ?? {
            learned: new Map(),
            failures: 0,
            notBeforeMs: 0,
          };
          if (before.notBeforeMs > nowMs) return;
          try {
            const learned = await this.#learnCompany(companyId, adsets, nowMs);
            this.#companies.set(companyId, { learned, failures: 0, notBeforeMs: nowMs + LEARN_EVERY_MS });
            values.replace(before.learned.keys(), learned);
          } catch (err) {
            const failures = before.failures + 1;
            const notBeforeMs = nowMs + backoffMs(LEARN_EVERY_MS, failures, BACKOFF_MAX_MS);
            this.#companies.set(companyId, { ...before, failures, notBeforeMs });
            log.warn({ err, companyId }, 'the values of installs of a company could not be learned');
          }
        }),
      ),
    );
  }

  async #learnCompany(companyId: string, adsets: readonly GoalAdset[], nowMs: number): Promise<LearnedGoals> {
    const learned = new Map<string, { goal: Goal; learned: LearnedGoal }>();
    const byGoal = groupBy(adsets, ({ goal }) => goal.key);
    const sourcesOf = revenueSourcesBy(await eventRulesOf(this.#deps.db, companyId));
    for (const ofGoal of [...byGoal.values()].slice(0, GOALS_MAX)) {
      const { app, goal } = ofGoal[0]!;
      const { event, windowMs } = goal;
      const sources = sourcesOf(app.uuid);
      const adsetIds = ofGoal.map(({ adsetId }) => adsetId);
      const question = { companyId, adsetIds, event, windowMs, sources };
      const record = await readGoal(this.#deps.clickhouse, question, nowMs);
      // The lowest, by which few amounts of money are believed.
      const assumed = Math.min(...ofGoal.map((adset) => adset.goal.priorInstallMicros / adset.goal.price));
      const known = new LearnedGoal(record, assumed);
      for (const adset of ofGoal) learned.set(adset.adsetId, { goal: adset.goal, learned: known });
    }
    return learned;
  }
}

function hasGoal(candidate: Candidate): candidate is GoalAdset {
  return candidate.goal !== null;
}

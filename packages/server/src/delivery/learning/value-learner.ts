import type { Logger } from 'pino';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { type FairQueue, fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { groupBy } from '../../platform/group-by.ts';
import { eventRulesOf, revenueSourcesBy } from './event-rules-store.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { Goal } from '../model/goal.ts';
import type { InstallValues } from './install-values.ts';
import { LearnedGoal, type Conversion, type GoalRecord, type InstallGroup } from './value-model.ts';
import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
} from '../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { VALUE_HISTORY_MS } from './goal-record.ts';

/** How often a goal is read again. */
const LEARN_EVERY_MS = 5 * 60_000;
/** Goals of companies that are read at the same time, of which each company has one. */
const COMPANIES_AT_ONCE = 2;
/** Goals of a company that are read in one turn, the ones read longest ago first, and how long a turn begins reads. */
const GOALS_MAX = 50;
const TURN_MS = 10_000;
/** Reads that wait, of a company and of all, and how long. */
const WAITING = { waiting: 1000, waitingEach: 2 * GOALS_MAX, waitMs: 60_000 } as const;
/** A company whose goals could not be read is left out for longer and longer, from the first to the last of these. */
const BACKOFF_MS = 15_000;
const BACKOFF_MAX_MS = 3_600_000;
/** Goals that only forecasts request: how many stay in memory, and for how long after the last request. */
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

/** The fields of an ad set that decide what is learned for it. */
export type LearningAdset = Pick<CompiledAdset, 'companyId' | 'app' | 'goal'>;
type GoalAdset = LearningAdset & { goal: Goal };

/** When a goal was read, and when a forecast last requested it, Unix ms. */
interface GoalState {
  readAtMs: number;
  askedAtMs: number;
}

/** Learns the value of installs to the ad sets with a goal of value. A company's events affect only its own bids. */
export class ValueLearner {
  readonly #deps: ValueLearnerDeps;
  /** The goals that were read, by key. */
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

  /** Reads the goals of running ad sets that are due. A company that fails keeps its last model, and the others are read. */
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
   * `withinMs`; never rejects. A new ad set thus bids at once by the model of its app.
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

  /**
   * Reads a goal in the turn of its company. Callers of the same goal share one read. Throws the errors of the database.
   */
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

  /** Deletes the models of goals that no ad set has any more and no forecast requests. */
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

/**
 * People of an app whose events are read for a goal; if there are more, a random sample, so that a large app needs no more memory.
 */
const INSTALLS_MAX = 100_000;
/** Groups of installs that are read of a goal: the largest, and as many again at most that stand for all others. */
const GROUPS_MAX = 20_000;
/** People with events of the goal who are read: if there are more, a random sample. And events of one person. */
const PEOPLE_MAX = 20_000;
const EVENTS_MAX = 100;
const MIB = 1024 ** 2;
/** Limits of each of the three queries of a goal. The events of the company by hour go to disk when they take much memory. */
const SETTINGS: QuerySettings = {
  max_threads: 1,
  max_execution_time: 25,
  max_memory_usage: 512 * MIB,
  max_bytes_before_external_group_by: 128 * MIB,
  max_bytes_ratio_before_external_group_by: 0,
};

/** The query for the data of a goal. */
interface GoalQuestion {
  companyId: string;
  /** The app whose installs are read, by any ad set and bid strategy. */
  appId: string;
  /** Name of the event; null for revenue of all events. */
  event: string | null;
  windowMs: number;
  /** The sources whose amounts count as revenue of the app. */
  sources: readonly RevenueSource[];
}

/** Limits that tests lower. */
interface Limits {
  installsMax?: number;
  groupsMax?: number;
  peopleMax?: number;
}

/**
 * Reads the installs of an app in the last thirty days and the later events of their people for one goal, from the projection of
 * people's events. Leaves out events that the partner has revoked. If there are more installs, groups or people than the limits, it
 * reads a random sample and scales the figures, so that rates stay right. Throws QueryTooLarge.
 */
export async function readGoal(
  clickhouse: ClickHouse,
  { companyId, appId, event, windowMs, sources }: GoalQuestion,
  nowMs: number,
  { installsMax = INSTALLS_MAX, groupsMax = GROUPS_MAX, peopleMax = PEOPLE_MAX }: Limits = {},
): Promise<GoalRecord> {
  const params = {
    company: companyId,
    app: appId,
    from: clickhouseTime(nowMs - VALUE_HISTORY_MS).slice(0, 19),
    fromMs: nowMs - VALUE_HISTORY_MS,
    now: nowMs,
    event: event ?? '',
    window: windowMs,
    counted: sources.map((source) => (source === 'ad_revenue' ? 1 : 0)),
    rows: groupsMax,
    events: EVENTS_MAX,
  };
  const read = async <Row>(sql: string, share: number): Promise<readonly Row[]> =>
    clickhouse.query<Row>(sql, { ...params, share: Math.ceil(share * SHARE_PARTS) }, 'JSON', SETTINGS);
  const [all] = await read<{ installs: number }>(installsSql(), 1);
  const sampled = Math.min(1, installsMax / Math.max(1, all?.installs ?? 0));
  const groups = await read<InstallGroup & { people: number }>(groupsSql(), sampled);
  const share = Math.min(1, peopleMax / Math.max(1, groups[0]?.people ?? 0));
  const people = await read<PersonRow>(conversionsSql(event !== null), sampled * share);
  return {
    windowMs,
    isRevenue: event === null,
    installs: groups.map(({ people: _people, ...group }) => ({ ...group, installs: group.installs * share })),
    conversions: people.flatMap(conversionsOf),
  };
}

const SHARE_PARTS = 1_000_000;

const { appEvent, takenBack, invalid, untrained, adRevenue, knownRevenue } = personFlags;
/** An event of the goal: one with its name, or, for the goal revenue, one with known revenue that counts. */
const IS_OF_GOAL = `if({event:String} = '',
  bitAnd(flags, ${knownRevenue}) > 0 and revenue_micros != 0 and has({counted:Array(UInt8)}, toUInt8(bitAnd(flags, ${adRevenue}) > 0)),
  event_name = {event:String})`;
const kindIs = (flags: number) =>
  `bitAnd(flags, ${appEvent + takenBack + invalid}) = ${flags} and ${IS_OF_GOAL}`;
const IS_INSTALL = `bitAnd(flags, ${appEvent + takenBack + invalid + untrained}) = 0`;

/** SQL of the events of the people of the app that meet a condition, of a random share of them. */
function eventsSql(read: readonly PersonField[], condition: string): string {
  return personEventsSql({
    fields: [...new Set<PersonField>(['atMs', 'flags', 'app_id', 'person', ...read])],
    where: [
      'company_id = {company:UUID}',
      'test = 0',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({from:DateTime('UTC')})`,
    ],
    whereEach: `app_id = {app:UUID} and atMs >= {fromMs:Int64}
      and cityHash64(person) % ${SHARE_PARTS} < {share:UInt32} and (${condition})`,
  });
}

/** SQL of the number of installs, including installs that the partner took back. */
function installsSql(): string {
  return `select count() as installs from (${eventsSql([], IS_INSTALL)})`;
}

/**
 * SQL of the people of an app with an install that counts, its time in Unix ms, and `found`: the delays and the revenue of
 * the goal's events within the window. An event is known by its time and revenue, with which it is taken back.
 */
function peopleSql(): string {
  const events = eventsSql(
    ['eventMs', 'revenue_micros', 'event_name', 'adset_id', 'bundle', 'country'],
    `bitAnd(flags, ${appEvent}) = 0 or ${IS_OF_GOAL}`,
  );
  return `select person, any(adset_id) as adset, any(bundle) as app, any(country) as land,
      minIf(eventMs, ${IS_INSTALL}) as installed, {now:Int64} - installed as age,
      groupArrayIf({events:UInt32})((eventMs, revenue_micros), ${kindIs(appEvent + takenBack)}) as taken,
      groupArrayIf({events:UInt32})((eventMs, revenue_micros), ${kindIs(appEvent)}) as reported,
      arrayFilter(one -> one.1 < {window:Int64}, arrayMap(one -> (greatest(0, one.1 - installed), one.2),
        arrayFilter(one -> not has(taken, one), reported))) as found
    from (${events})
    group by person
    having countIf(${IS_INSTALL}) > 0 and countIf(bitAnd(flags, ${appEvent + takenBack}) = ${takenBack}) = 0`;
}

/**
 * SQL of the installs by ad set, country, publisher's app and age, each with the number of all people with the goal's events. The
 * largest groups are all read; every n-th of the others, sorted by size, stands for n.
 */
function groupsSql(): string {
  return `
    with if(place <= {rows:UInt32}, 1, intDiv(total - 1, {rows:UInt32})) as each
    select toString(adset) as adsetId, app as bundle, land as country, counted * each as installs, meanAge as ageMs, people
    from (
      select *, row_number() over (order by counted desc, adset, app, land, aged) as place, count() over () as total,
        sum(converted) over () as people
      from (
        select adset, app, land, if(age < 86400000, intDiv(age, 10800000), 8 + intDiv(age, 86400000)) as aged,
          count() as counted, avg(age) as meanAge, countIf(notEmpty(found)) as converted
        from (${peopleSql()})
        group by adset, app, land, aged
      )
    )
    where place <= {rows:UInt32} or place % each = 0`;
}

/**
 * SQL of a sample of the people with events of the goal: only the first event of a person for an event, all events for
 * revenue.
 */
function conversionsSql(isEvent: boolean): string {
  return `select toString(person) as id, toString(adset) as adsetId, app as bundle, land as country, age as ageMs,
      ${isEvent ? 'arraySlice(arraySort(found), 1, 1)' : 'found'} as events
    from (${peopleSql()})
    where notEmpty(found)
    order by ageMs, id`;
}

interface PersonRow {
  id: string;
  adsetId: string;
  bundle: string;
  country: string;
  ageMs: number;
  events: readonly (readonly [delayMs: number, revenueMicros: number])[];
}

function conversionsOf({ id: person, events, ...of }: PersonRow): Conversion[] {
  return events.map(([delayMs, value]) => ({ ...of, person, delayMs, value }));
}

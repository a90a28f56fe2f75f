import type {
  ExchangeFigures,
  ExchangeHealth,
  ExchangeSummaries,
} from '@bidwell/contract/operator/exchange-health';
import { toDollars, type Micros } from '@bidwell/contract/lib/money';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import type { Context } from '../../../context.ts';
import { EXCHANGE_MINUTE_DAYS } from '../../../delivery/public.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { addToSum, groupBy } from '../../../platform/group-by.ts';
import { latencyQuantileMs } from '../../../platform/telemetry/latency-buckets.ts';
import { TtlCache } from '../../../platform/ttl-cache.ts';
import { exchangeShaping } from './exchange-shaping.ts';
import { type SspRow, listSspRows } from './exchange-store.ts';
import { sql } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

const MINUTE_MS = 60_000;
/** Processes store a minute within this time after its end. */
const STORED_AFTER_MS = 2000;
/** Lengths of a step in minutes; the shortest with at most {@link STEPS_MAX} steps is used. */
const STEP_MINUTES = [1, 5, 10] as const;
const STEPS_MAX = 150;
/** The traffic of all exchanges is read at most this often, however many operators look at it. */
const ALL_TTL_MS = 5000;
/** The same query is sent to the event database at most this often. */
const UNMATCHED_TTL_MS = 15_000;
const CACHED_MAX = 100;

interface Period {
  minutes: number;
  until?: string | undefined;
}

/** Reads the traffic of exchanges. Throws Invalid for a time of which no counts are stored. */
export interface ExchangeHealthReader {
  /** The traffic of all exchanges, by slug. */
  all(operator: Operator, period: Period): Promise<ExchangeSummaries>;
  /** The traffic of one exchange. Throws NotFound. */
  one(operator: Operator, input: Period & { slug: string }): Promise<ExchangeHealth>;
}

export function exchangeHealthReader(ctx: Context): ExchangeHealthReader {
  const { db, clickhouse, log } = ctx;
  const summaries = new TtlCache<ExchangeSummaries>(ALL_TTL_MS, CACHED_MAX);
  const unmatched = new TtlCache<number | null>(UNMATCHED_TTL_MS, CACHED_MAX);

  async function withoutWin(slug: string, times: StepTimes): Promise<number | null> {
    const { fromMs, untilMs } = times;
    return unmatched.get(`${slug} ${fromMs} ${untilMs}`, async () =>
      chargedWithoutWin(clickhouse, slug, times).catch((err: unknown) => {
        log.warn({ err, ssp: slug }, 'charges without a win notice could not be counted');
        return null;
      }),
    );
  }

  async function countsOf(rows: readonly SspRow[], times: StepTimes) {
    const slugs = rows.map(({ slug }) => slug);
    const [steps, keys] = await Promise.all([
      exchangeSteps(db, slugs, times),
      exchangeKeys(db, slugs, times),
    ]);
    return {
      steps: groupBy(steps, ({ exchange }) => exchange),
      keys: groupBy(keys, ({ exchange }) => exchange),
    };
  }

  async function readAll(period: Period): Promise<ExchangeSummaries> {
    const rows = await listSspRows(db);
    const nowMs = ctx.now().getTime();
    const whole = timesOf(period, nowMs, period.minutes);
    const [total, last] = await Promise.all([countsOf(rows, whole), countsOf(rows, lastMinute(nowMs))]);
    return {
      exchanges: rows.map((row) => ({
        slug: row.slug,
        total: figures(row, total, secondsOf(whole, nowMs)),
        last_minute: figures(row, last, 60),
      })),
    };
  }

  return {
    async all(operator, period) {
      requireOperatorPermission(operator, 'exchange.read');
      return summaries.get(`${period.minutes} ${period.until}`, async () => readAll(period));
    },
    async one(operator, { slug, ...period }) {
      requireOperatorPermission(operator, 'exchange.read');
      const row = (await listSspRows(db)).find((one) => one.slug === slug);
      if (!row) throw new NotFound('Exchange');
      const nowMs = ctx.now().getTime();
      const times = timesOf(period, nowMs, stepMinutes(period.minutes));
      const [counts, last, charged_without_win] = await Promise.all([
        countsOf([row], times),
        countsOf([row], lastMinute(nowMs)),
        withoutWin(slug, times),
      ]);
      const total = figures(row, counts, secondsOf(times, nowMs));
      return {
        from: new Date(times.fromMs).toISOString(),
        until: new Date(times.untilMs).toISOString(),
        step_minutes: times.stepMs / MINUTE_MS,
        total,
        last_minute: figures(row, last, 60),
        series: seriesOf(row, counts, times, nowMs),
        no_bids: sumsByKey(counts.keys.get(slug), 'no_bids').map(([reason, requests]) => ({
          reason,
          requests,
        })),
        losses: sumsByKey(counts.keys.get(slug), 'losses').map(([code, notices]) => ({
          code: Number(code),
          notices,
        })),
        // An exchange that sends no win notices lacks none.
        charged_without_win: total.wins === 0 && total.charged > 0 ? null : charged_without_win,
        shaping: await exchangeShaping(db, {
          slug,
          limitPerSecond: row.requests_per_second,
          ...times,
          nowMs,
        }),
      };
    },
  };
}

interface Counts {
  steps: ReadonlyMap<string, readonly StepRow[]>;
  keys: ReadonlyMap<string, readonly KeyRow[]>;
}

function stepMinutes(minutes: number): number {
  return STEP_MINUTES.find((step) => minutes / step <= STEPS_MAX) ?? STEP_MINUTES.at(-1)!;
}

/** Whole steps that end with the period, rounded up to a minute; at the latest with the present minute. Throws Invalid. */
function timesOf({ minutes, until }: Period, nowMs: number, step: number): StepTimes {
  const presentMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  const endMs = until === undefined ? presentMs : Date.parse(until);
  if (endMs <= daysBefore(new Date(nowMs), EXCHANGE_MINUTE_DAYS).getTime())
    throw new Invalid([{ field: 'until', message: operatorApiMessages.countsAreGone }]);
  const untilMs = Math.min(presentMs, Math.ceil(endMs / MINUTE_MS) * MINUTE_MS);
  const stepMs = step * MINUTE_MS;
  const fromMs = untilMs - minutes * MINUTE_MS;
  const isWhole = step === minutes;
  return { fromMs: isWhole ? fromMs : Math.ceil(fromMs / stepMs) * stepMs, untilMs, stepMs };
}

/** The last minute that all processes have stored. */
function lastMinute(nowMs: number): StepTimes {
  const untilMs = Math.floor((nowMs - STORED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
  return { fromMs: untilMs - MINUTE_MS, untilMs, stepMs: MINUTE_MS };
}

/** Seconds of a time that have passed. */
function secondsOf({ fromMs, untilMs }: Pick<StepTimes, 'fromMs' | 'untilMs'>, nowMs: number): number {
  return Math.max(1, (Math.min(untilMs, nowMs) - fromMs) / 1000);
}

function seriesOf(row: SspRow, counts: Counts, times: StepTimes, nowMs: number): ExchangeHealth['series'] {
  const { fromMs, untilMs, stepMs } = times;
  const steps = new Map(counts.steps.get(row.slug)?.map((step) => [step.atMs, step]));
  const keys = groupBy(counts.keys.get(row.slug) ?? [], ({ atMs }) => atMs);
  return Array.from({ length: Math.ceil((untilMs - fromMs) / stepMs) }, (_, index) => {
    const atMs = fromMs + index * stepMs;
    const step = steps.get(atMs);
    const endMs = atMs + stepMs;
    const seconds = secondsOf({ fromMs: atMs, untilMs: endMs }, nowMs);
    return {
      at: new Date(atMs).toISOString(),
      complete: endMs <= nowMs - STORED_AFTER_MS,
      ...figuresOf(row, step ? [step] : [], keys.get(atMs) ?? [], seconds),
    };
  });
}

function figures(row: SspRow, { steps, keys }: Counts, seconds: number): ExchangeFigures {
  return figuresOf(row, steps.get(row.slug) ?? [], keys.get(row.slug) ?? [], seconds);
}

function figuresOf(
  { charge_on }: SspRow,
  steps: readonly StepRow[],
  keys: readonly KeyRow[],
  seconds: number,
): ExchangeFigures {
  const sum = (field: Exclude<keyof StepRow, 'exchange' | 'atMs'>) =>
    steps.reduce((total, step) => total + step[field], 0);
  const noBids = sumsByKey(keys, 'no_bids');
  const requestsOf = (reason: NoBidReason) => noBids.find(([key]) => key === reason)?.[1] ?? 0;
  const [answered, bids, unreadable, failed] = [
    sum('answered'),
    sum('bids'),
    sum('unreadable'),
    sum('failed'),
  ];
  const [wins, charged] = [sum('wins'), sum('charged')];
  const requests = answered + unreadable + failed + countOf(noBids);
  const latencies = new Map(sumsByKey(keys, 'latencies').map(([bucket, count]) => [Number(bucket), count]));
  return {
    requests,
    qps: requests / seconds,
    answered,
    bid_rate_percent: percentOf(answered, requests),
    bids,
    wins,
    // An exchange that charges without a win notice sends none: its wins are not known.
    win_rate_percent: wins === 0 && charged > 0 ? null : percentOf(wins, bids),
    late: sum('late'),
    above_limit: requestsOf('too_many_requests'),
    shed: requestsOf('shed'),
    unreadable,
    country_mismatch_percent: percentOf(sum('countryMismatched'), sum('countryChecked')),
    country_checked: sum('countryChecked'),
    failed,
    latency_p50_ms: latencyQuantileMs(latencies, 0.5),
    latency_p99_ms: latencyQuantileMs(latencies, 0.99),
    billing_notices: sum('billings'),
    loss_notices: countOf(sumsByKey(keys, 'losses')),
    impressions: sum('impressions'),
    charged,
    discrepancy_percent: charge_on === 'win' ? null : percentOf(wins - charged, wins),
    spend: toDollars(sum('spendMicros')),
  };
}

/** Counts by key, highest first. */
function sumsByKey(
  keys: readonly KeyRow[] | undefined,
  kind: KeyRow['kind'],
): [key: string, count: number][] {
  const sums = new Map<string, number>();
  for (const row of keys ?? []) if (row.kind === kind) addToSum(sums, row.key, row.count);
  return [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function countOf(sums: readonly (readonly [key: string, count: number])[]): number {
  return sums.reduce((total, [, count]) => total + count, 0);
}

function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

/** Counts of an exchange in one step of a time. */
interface StepRow {
  exchange: string;
  /** Start of the step, Unix ms. */
  atMs: number;
  answered: number;
  bids: number;
  unreadable: number;
  failed: number;
  late: number;
  countryChecked: number;
  countryMismatched: number;
  wins: number;
  billings: number;
  impressions: number;
  charged: number;
  spendMicros: Micros;
}

/** A count of an exchange in one step: of a no-bid reason, a bucket of latencies, or a code of losses. */
interface KeyRow {
  exchange: string;
  atMs: number;
  kind: 'no_bids' | 'latencies' | 'losses';
  key: string;
  count: number;
}

/** A time in steps. */
interface StepTimes {
  fromMs: number;
  untilMs: number;
  stepMs: number;
}

/** Which rows: the exchanges by slug, and the time. The steps begin at multiples of their length. */
function selected(slugs: readonly string[], { fromMs, untilMs, stepMs }: StepTimes) {
  const at = sql`floor(extract(epoch from minute) * 1000 / ${stepMs}::int)::bigint * ${stepMs}::int`;
  const where = sql`exchange = any(${`{${slugs.join()}}`}::text[])
    and minute >= to_timestamp(${fromMs}::double precision / 1000)
    and minute < to_timestamp(${untilMs}::double precision / 1000)`;
  return { at, where };
}

/** The counts of exchanges in each step, of all processes. Exchanges belong to no company. */
async function exchangeSteps(
  db: Db,
  slugs: readonly string[],
  times: StepTimes,
): Promise<readonly StepRow[]> {
  const { at, where } = selected(slugs, times);
  const { rows } = await sql<StepRow>`
    select exchange, ${at} as "atMs", sum(answered)::bigint as answered, sum(bids)::bigint as bids,
      sum(unreadable)::bigint as unreadable, sum(failed)::bigint as failed, sum(late)::bigint as late,
      sum(country_checked)::bigint as "countryChecked", sum(country_mismatched)::bigint as "countryMismatched",
      sum(wins)::bigint as wins, sum(billings)::bigint as billings, sum(impressions)::bigint as impressions,
      sum(charged)::bigint as charged, sum(spend_micros)::bigint as "spendMicros"
    from exchange_minutes where ${where} group by 1, 2`.execute(db);
  return rows;
}

/** The counts by reason, bucket and code in each step, of all processes. */
async function exchangeKeys(db: Db, slugs: readonly string[], times: StepTimes): Promise<readonly KeyRow[]> {
  const { at, where } = selected(slugs, times);
  const { rows } = await sql<KeyRow>`
    select exchange, "atMs", kind, key, sum(value::bigint)::bigint as count
    from (
      select exchange, ${at} as "atMs", kind, counts
      from exchange_minutes, lateral (
        values ('no_bids', no_bids), ('latencies', latencies), ('losses', losses)
      ) as k (kind, counts)
      where ${where}
    ) as m, lateral jsonb_each_text(counts)
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Events of a bid are looked for this long before the charge: a win notice comes before it. */
const WIN_BEFORE_MS = 3_600_000;

/** The query ends after this time: an installation may have millions of events an hour. */
const SECONDS_MAX = 5;

/** Bids of an exchange that were charged in this time without a win notice at any time. Covers all companies. */
async function chargedWithoutWin(
  clickhouse: ClickHouse,
  slug: string,
  { fromMs, untilMs }: StepTimes,
): Promise<number> {
  const [row] = await clickhouse.query<{ bids: number }>(
    `select count() as bids from (
       select bid_id from events
       where time >= {before:DateTime64(3, 'UTC')} and exchange = {slug:String} and test = 0
         and kind in ('win', 'billing', 'impression')
       group by bid_id
       having countIf(spend_micros > 0 and time >= {from:DateTime64(3, 'UTC')} and time < {until:DateTime64(3, 'UTC')}) > 0
         and countIf(kind = 'win') = 0
     )`,
    {
      slug,
      before: clickhouseTime(fromMs - WIN_BEFORE_MS),
      from: clickhouseTime(fromMs),
      until: clickhouseTime(untilMs),
    },
    'JSON',
    { max_execution_time: SECONDS_MAX },
  );
  return row?.bids ?? 0;
}

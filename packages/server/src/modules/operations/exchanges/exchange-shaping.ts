import { toDollars } from '@bidwell/contract/lib/money';
import type { ExchangeShaping } from '@bidwell/contract/operator/exchange-health';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type OfferedSegment, pretargetingOf } from './pretargeting.ts';

const SEGMENTS_MAX = 50;
const DAY_SECONDS = 86_400;

/** A time of an exchange that has a limit, or had one. */
interface Period {
  slug: string;
  /** Its limit now. */
  limitPerSecond: number | null;
  fromMs: number;
  untilMs: number;
  nowMs: number;
  /** Requests that came, and those that got 204 because of the limit. */
  requests: number;
  aboveLimit: number;
}

/** Which requests of an exchange with a limit were read; null where none was counted. Exchanges belong to no company. */
export async function exchangeShaping(db: Db, period: Period): Promise<ExchangeShaping | null> {
  const { limitPerSecond, fromMs, untilMs, nowMs, requests, aboveLimit } = period;
  const [reads, looked] = await Promise.all([shapingReads(db, period), shapingSegments(db, period)]);
  if (!reads || reads.firstMs === null || looked.length === 0) return null;
  // Before the first of these requests there was no traffic or no limit, so it says nothing of a day.
  const sinceMs = Math.max(fromMs, reads.firstMs);
  const seconds = Math.max(1, (Math.min(untilMs, nowMs) - sinceMs) / 1000);
  const unread = Math.max(0, aboveLimit - reads.skipped);
  const times = unread < requests ? requests / (requests - unread) : 1;
  const segments = looked.map((one) => withUnread(one, times));
  const read = reads.all + reads.value + reads.random;
  const biddable = (read + reads.skipped) * times;
  const perDay = (micros: number | null): number | null =>
    micros === null ? null : (toDollars(micros) / seconds) * DAY_SECONDS;
  const isValued = segments.some(({ skippedMicros }) => skippedMicros !== null);
  const isSkipped = segments.some(({ skipped }) => skipped > 0);
  const skippedMicros = segments.reduce((sum, segment) => sum + (segment.skippedMicros ?? 0), 0);
  return {
    since: new Date(sinceMs).toISOString(),
    read_within_limit: reads.all,
    read_by_value: reads.value,
    read_at_random: reads.random,
    skipped: reads.skipped,
    unread,
    skipped_percent: biddable === 0 ? null : (1 - read / biddable) * 100,
    skipped_value_per_day: isSkipped && !isValued ? null : perDay(skippedMicros),
    segments: segments
      .filter(({ skipped }) => skipped > 0)
      .sort((a, b) => (b.skippedMicros ?? 0) - (a.skippedMicros ?? 0) || b.skipped - a.skipped)
      .slice(0, SEGMENTS_MAX)
      .map(({ country, system, format, offered, skipped, skippedMicros: micros }) => ({
        country,
        system,
        format,
        offered,
        skipped,
        skipped_value_per_day: perDay(micros),
      })),
    pretargeting:
      isSkipped && limitPerSecond !== null ? pretargetingOf(segments, limitPerSecond, seconds) : [],
  };
}

/** A segment with its part of the requests that were not looked at, which are of all kinds alike. `times`: all requests, of each that was. */
function withUnread(segment: OfferedSegment, times: number): OfferedSegment {
  const { offered, skipped, micros, skippedMicros } = segment;
  if (times === 1) return segment;
  const all = Math.round(offered * times);
  return {
    ...segment,
    offered: all,
    skipped: all - (offered - skipped),
    micros: micros === null ? null : micros * times,
    skippedMicros: micros === null ? null : micros * times - (micros - (skippedMicros ?? 0)),
  };
}

function within({ slug, fromMs, untilMs }: Period) {
  return sql`exchange = ${slug} and shaping is not null
    and minute >= to_timestamp(${fromMs}::double precision / 1000)
    and minute < to_timestamp(${untilMs}::double precision / 1000)`;
}

/** Requests of a time by why they were read, and when the first of them came. */
interface Reads {
  all: number;
  value: number;
  random: number;
  skipped: number;
  firstMs: number | null;
}

async function shapingReads(db: Db, period: Period): Promise<Reads | undefined> {
  const sum = (field: string) => sql`coalesce(sum((shaping->>${field}::text)::bigint), 0)::bigint`;
  const { rows } = await sql<Reads>`
    select ${sum('all')} as "all", ${sum('value')} as "value", ${sum('random')} as "random",
      ${sum('skipped')} as "skipped", (extract(epoch from min(minute)) * 1000)::double precision as "firstMs"
    from exchange_minutes where ${within(period)}`.execute(db);
  return rows[0];
}

/** The segments of a time. Values are not known of segments whose requests all came before the exchange's values were learned. */
async function shapingSegments(db: Db, period: Period): Promise<OfferedSegment[]> {
  const at = (index: number) => sql`sum((counts->>${index}::int)::bigint)::bigint`;
  const { rows } = await sql<{
    segment: string;
    offered: number;
    skipped: number;
    micros: number | null;
    skippedMicros: number | null;
  }>`
    select segment, ${at(0)} as offered, ${at(1)} as skipped,
      case when ${at(2)} > 0 then ${at(3)} end as micros, case when ${at(4)} > 0 then ${at(5)} end as "skippedMicros"
    from exchange_minutes, lateral jsonb_each(shaping->'segments') as s (segment, counts)
    where ${within(period)} group by segment`.execute(db);
  return rows.map(({ segment, ...counts }) => {
    const [country = '', system = '', format = ''] = segment.split('|');
    return { country, system, format, ...counts };
  });
}

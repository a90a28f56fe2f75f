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
}

/** Which requests of an exchange with a limit were read; null where none was counted. Exchanges belong to no company. */
export async function exchangeShaping(db: Db, period: Period): Promise<ExchangeShaping | null> {
  const { limitPerSecond, fromMs, untilMs, nowMs } = period;
  const [reads, segments] = await Promise.all([shapingReads(db, period), shapingSegments(db, period)]);
  if (!reads || reads.firstMs === null || segments.length === 0) return null;
  // Before the first of these requests there was no traffic or no limit, so it says nothing of a day.
  const sinceMs = Math.max(fromMs, reads.firstMs);
  const seconds = Math.max(1, (Math.min(untilMs, nowMs) - sinceMs) / 1000);
  const { unread, biddable } = reads;
  const read = reads.all + reads.value + reads.random;
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

/**
 * The counts of each minute, with `unread`: requests that got 204 because of the limit and were not looked at. These are of all kinds alike, so
 * each one that was looked at in the minute stands for `times` requests. An earlier release did not store these numbers: they follow from others.
 */
function minutesOf({ slug, fromMs, untilMs }: Period) {
  return sql`(
    select minute, shaping, unread,
      case when looked > 0 then (looked + unread)::double precision / looked else 1 end as times
    from exchange_minutes, lateral (
      select answered + unreadable + failed + coalesce(sum(value::bigint), 0) as requests,
        greatest(0, coalesce((no_bids->>'too_many_requests')::bigint, 0) - (shaping->>'skipped')::bigint) as refused
      from jsonb_each_text(no_bids)
    ) as counted, lateral (
      select coalesce((shaping->>'unread')::bigint, refused) as unread,
        coalesce((shaping->>'looked')::bigint, requests - refused) as looked
    ) as known
    where exchange = ${slug} and shaping is not null
      and minute >= to_timestamp(${fromMs}::double precision / 1000)
      and minute < to_timestamp(${untilMs}::double precision / 1000)
  ) as minutes`;
}

/** Requests of a time by why they were read, all that ad sets could bid on, and when the first of them came. */
interface Reads {
  all: number;
  value: number;
  random: number;
  skipped: number;
  unread: number;
  biddable: number;
  firstMs: number | null;
}

async function shapingReads(db: Db, period: Period): Promise<Reads | undefined> {
  const field = (name: string) => sql`coalesce((shaping->>${name}::text)::bigint, 0)`;
  const sum = (name: string) => sql`coalesce(sum(${field(name)}), 0)::bigint`;
  const { rows } = await sql<Reads>`
    select ${sum('all')} as "all", ${sum('value')} as "value", ${sum('random')} as "random",
      ${sum('skipped')} as "skipped", coalesce(sum(unread), 0)::bigint as "unread",
      coalesce(sum((${field('all')} + ${field('value')} + ${field('random')} + ${field('skipped')}) * times), 0) as "biddable",
      (extract(epoch from min(minute)) * 1000)::double precision as "firstMs"
    from ${minutesOf(period)}`.execute(db);
  return rows[0];
}

/**
 * The segments of a time. A request whose value was not known, because the exchange's values were not learned yet, has the mean of the
 * others of its segment; a segment without others has no value.
 */
async function shapingSegments(db: Db, period: Period): Promise<OfferedSegment[]> {
  const at = (index: number) => sql`(counts->>${index}::int)::bigint`;
  const { rows } = await sql<{
    segment: string;
    offered: number;
    skipped: number;
    micros: number | null;
    skippedMicros: number | null;
  }>`
    select segment, round(offered)::bigint as offered, round(skipped)::bigint as skipped,
      micros * offered / nullif(valued, 0) as micros,
      "skippedMicros" * skipped / nullif("skippedValued", 0) as "skippedMicros"
    from (
      select coalesce(nullif(segment, ''), '||') as segment,
        sum(${at(0)} * times) as offered, sum(${at(0)} * times - (${at(0)} - ${at(1)})) as skipped,
        sum(${at(2)} * times) as valued, sum(${at(2)} * times - (${at(2)} - ${at(4)})) as "skippedValued",
        sum(${at(3)} * times) as micros, sum(${at(3)} * times - (${at(3)} - ${at(5)})) as "skippedMicros"
      from ${minutesOf(period)}, lateral jsonb_each(shaping->'segments') as s (segment, counts)
      group by 1
    ) as summed`.execute(db);
  return rows.map(({ segment, ...counts }) => {
    const [country = '', system = '', format = ''] = segment.split('|');
    return { country, system, format, ...counts };
  });
}

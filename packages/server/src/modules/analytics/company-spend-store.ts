import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { grainSql } from '../../platform/clickhouse/aggregates.ts';

const HOUR_MS = 3_600_000;
/** All time zones are a multiple of a quarter of an hour from UTC. */
const second = (atMs: number) => Math.floor(atMs / 1000);

/**
 * Spend since each of the instants `startsMs`, in their order, by company: of `companyIds`, or of all. Companies without
 * spend are absent. Spans companies: for operators only.
 */
export async function spendSince(
  clickhouse: ClickHouse,
  startsMs: readonly number[],
  companyIds?: readonly string[],
): Promise<Map<string, Micros[]>> {
  if (startsMs.length === 0 || companyIds?.length === 0) return new Map();
  // Hours are far fewer than quarters of an hour, but only whole hours can begin a day.
  const grain = startsMs.every((startMs) => startMs % HOUR_MS === 0) ? grainSql.hour : grainSql.quarterHour;
  const rows = await clickhouse.query<{ companyId: string; micros: Micros[] }>(
    `select companyId, sumForEach(arrayMap(start -> if(toUnixTimestamp(slot) >= start, spent, 0), {starts:Array(UInt32)})) as micros
     from (
       select company_id as companyId, ${grain} as slot, sum(spend_micros) as spent
       from events
       where test = 0 and ${grain} >= {first:DateTime('UTC')}
         ${companyIds ? 'and company_id in {companies:Array(UUID)}' : ''}
       group by company_id, ${grain}
     )
     group by companyId`,
    {
      starts: startsMs.map(second),
      first: clickhouseTime(Math.min(...startsMs)).slice(0, 19),
      ...(companyIds && { companies: companyIds }),
    },
  );
  return new Map(rows.map(({ companyId, micros }) => [companyId, micros.map(Number)]));
}

/** Spend of all companies by day of UTC, YYYY-MM-DD, since a day. Days without spend are absent. For operators only. */
export async function spendByDay(clickhouse: ClickHouse, since: string): Promise<Map<string, Micros>> {
  const rows = await clickhouse.query<{ day: string; micros: Micros }>(
    `select toString(${grainSql.day}) as day, sum(spend_micros) as micros
     from events where test = 0 and ${grainSql.day} >= {since:Date} group by ${grainSql.day}`,
    { since },
  );
  return new Map(rows.map(({ day, micros }) => [day, micros]));
}

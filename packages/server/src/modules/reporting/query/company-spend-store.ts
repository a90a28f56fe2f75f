import type { Micros } from '@bidwell/contract/lib/money';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import { grainSql, measureSql } from '../../../platform/clickhouse/aggregates.ts';

const HOUR_MS = 3_600_000;
/** All time zones are a multiple of a quarter of an hour from UTC. */
const second = (atMs: number) => Math.floor(atMs / 1000);

/**
 * Spend since each of the instants `startsMs`, in their order, by company: of `companyIds`, or of all. Companies without
 * spend are absent. Spans companies: for operators, and the companies of one person. Throws QueryTooLarge beyond `limits`.
 */
export async function spendSince(
  clickhouse: ClickHouse,
  startsMs: readonly number[],
  companyIds?: readonly string[],
  limits: QuerySettings = {},
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
    'JSON',
    limits,
  );
  return new Map(rows.map(({ companyId, micros }) => [companyId, micros.map(Number)]));
}

/** Spend of a company's ad sets since an instant at a quarter of an hour; those without spend are absent. */
export async function adsetSpendSince(
  clickhouse: ClickHouse,
  companyId: string,
  sinceMs: number,
): Promise<Map<string, Micros>> {
  const rows = await clickhouse.query<{ adsetId: string; micros: Micros }>(
    `select adset_id as adsetId, sum(spent) as micros
     from (
       select adset_id, ${grainSql.quarterHour} as slot, ${measureSql.spendMicros} as spent
       from events
       where test = 0 and ${grainSql.quarterHour} >= {since:DateTime('UTC')} and company_id = {company:UUID}
       group by adset_id, ${grainSql.quarterHour}
     )
     group by adset_id having micros != 0`,
    { since: clickhouseTime(sinceMs).slice(0, 19), company: companyId },
  );
  return new Map(rows.map(({ adsetId, micros }) => [adsetId, micros]));
}

/** Spend of companies, and the part of it that is margin. */
export interface Costs {
  spendMicros: Micros;
  marginMicros: Micros;
}

/**
 * Spend of all companies by day of UTC, YYYY-MM-DD, since a day. Days without spend are absent. For operators only. Reads
 * the aggregate `hourly_costs`.
 */
export async function costsByDay(clickhouse: ClickHouse, since: string): Promise<Map<string, Costs>> {
  const rows = await clickhouse.query<Costs & { day: string }>(
    `select toString(toDate(slot)) as day, sum(spent) as spendMicros, sum(earned) as marginMicros
     from (
       select ${grainSql.hour} as slot, ${measureSql.spendMicros} as spent, ${measureSql.marginMicros} as earned
       from events
       where test = 0 and ${grainSql.hour} >= {since:DateTime('UTC')}
       group by ${grainSql.hour}
     )
     group by day`,
    { since: `${since} 00:00:00` },
  );
  return new Map(rows.map(({ day, ...costs }) => [day, costs]));
}

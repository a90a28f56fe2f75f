import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { exactSum } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A span of whole hours of UTC, Unix ms. */
export interface HourSpan {
  fromMs: number;
  beforeMs: number;
}

/** Spend of one hour of UTC. */
export interface HourlySpend {
  hourMs: number;
  micros: Micros;
}

/** Charges of a company in the events themselves, by hour of UTC, without test traffic. No aggregate is read. */
export async function chargesByHour(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: HourSpan,
  settings: QuerySettings,
): Promise<readonly (HourlySpend & { charges: number })[]> {
  return clickhouse.query<HourlySpend & { charges: number }>(
    `select toUnixTimestamp(toStartOfHour(time)) * 1000 as hourMs, sum(spend_micros) as micros, count() as charges
     from events
     where company_id = {company:UUID} and test = 0 and spend_micros <> 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by hourMs`,
    { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    { ...settings, optimize_use_projections: 0 },
  );
}

/** What the ledger has taken from the balance of a company for spend, by hour of UTC. */
export async function postedByHour(
  db: Db,
  companyId: string,
  { fromMs, beforeMs }: HourSpan,
): Promise<HourlySpend[]> {
  const { rows } = await sql<{ hour: Date; micros: Micros }>`
    select t.hour, ${exactSum(sql`-sum(e.amount_micros)`)} as micros
    from ledger_entries e join ledger_transactions t on t.uuid = e.transaction_uuid
    where e.company_uuid = ${companyId} and e.account = 'wallet' and t.kind = 'spend'
      and t.hour >= ${new Date(fromMs)} and t.hour < ${new Date(beforeMs)}
    group by t.hour`.execute(db);
  return rows.map(({ hour, micros }) => ({ hourMs: hour.getTime(), micros }));
}

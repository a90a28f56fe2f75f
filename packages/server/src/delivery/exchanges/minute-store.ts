import { sql } from 'kysely';
import { json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { ExchangeMinute } from './exchange-minutes.ts';

/** Stores what a process has counted, in place of what it stored of the same minutes before. Of all companies. */
export async function saveExchangeMinutes(
  db: Db,
  processId: string,
  minutes: readonly ExchangeMinute[],
): Promise<void> {
  await sql`
    insert into exchange_minutes (
      exchange, minute, process, answered, bids, unreadable, failed, late, no_bids, latencies, wins, billings,
      impressions, charged, losses, spend_micros
    )
    select
      exchange, minute, ${processId}::uuid, answered, bids, unreadable, failed, late, no_bids, latencies, wins,
      billings, impressions, charged, losses, spend_micros
    from json_to_recordset(${json(minutes.map(rowOf))}::json) as r (
      exchange text, minute timestamptz, answered bigint, bids bigint, unreadable bigint, failed bigint, late bigint,
      no_bids jsonb, latencies jsonb, wins bigint, billings bigint, impressions bigint, charged bigint, losses jsonb,
      spend_micros bigint
    )
    order by exchange, minute
    on conflict (exchange, minute, process) do update set
      answered = excluded.answered, bids = excluded.bids, unreadable = excluded.unreadable, failed = excluded.failed,
      late = excluded.late, no_bids = excluded.no_bids, latencies = excluded.latencies, wins = excluded.wins,
      billings = excluded.billings, impressions = excluded.impressions, charged = excluded.charged,
      losses = excluded.losses, spend_micros = excluded.spend_micros`.execute(db);
}

/** Deletes the minutes of all exchanges before an instant. */
export async function deleteExchangeMinutes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('exchange_minutes').where('minute', '<', before).execute();
}

function rowOf({ exchange, minuteMs, bids, events }: ExchangeMinute) {
  const { answered, unreadable, failed, late } = bids;
  const { wins, billings, impressions, charged, spendMicros } = events;
  return {
    exchange,
    minute: new Date(minuteMs).toISOString(),
    answered,
    bids: bids.bids,
    unreadable,
    failed,
    late,
    no_bids: Object.fromEntries(bids.noBids),
    latencies: Object.fromEntries([...bids.latencies.entries()].filter(([, count]) => count > 0)),
    wins,
    billings,
    impressions,
    charged,
    losses: Object.fromEntries(events.losses),
    spend_micros: spendMicros,
  };
}

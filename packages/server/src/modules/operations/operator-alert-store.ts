import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Marks warnings as mailed at `now`, of those given that were not mailed since `before`. Of several servers one gets each. */
export async function claimOperatorAlerts(
  db: Db,
  kinds: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    insert into operator_alerts (kind, mailed_at)
    select kind, ${now}::timestamptz from unnest(${[...kinds]}::text[]) as kind
    on conflict (kind) do update set mailed_at = excluded.mailed_at where operator_alerts.mailed_at <= ${before}
    returning kind`.execute(db);
  return rows.map(({ kind }) => kind);
}

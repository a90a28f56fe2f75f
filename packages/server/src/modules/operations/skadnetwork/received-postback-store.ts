import type { NetworkPostbacks } from '@bidwell/contract/skadnetwork/schema';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

type Reason = NetworkPostbacks['uncounted'][number]['reason'];

/** The postbacks since a day of UTC that count for a company, and the last of them. Spans companies, for operators. */
export async function countedSince(db: Db, day: string): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*)::bigint as count, max(received_at) as "lastAt"
    from install_postbacks where company_uuid is not null and received_at >= ${startOf(day)}`.execute(db);
  return rows[0]!;
}

/** The postbacks since a day of UTC that count nowhere, by reason, the most frequent first. Spans companies, for operators. */
export async function uncountedSince(
  db: Db,
  day: string,
): Promise<{ reason: Reason; count: number; lastAt: Date }[]> {
  const { rows } = await sql<{ reason: Reason; count: number; lastAt: Date }>`
    select reason, sum(count)::bigint as count, max(last_at) as "lastAt" from (
      select reason, count, last_at from rejected_install_postbacks where day >= ${day}
      union all
      select 'unknown_app', count(*), max(received_at) from install_postbacks
      where company_uuid is null and received_at >= ${startOf(day)}
      having count(*) > 0
    ) as uncounted
    group by reason order by count desc, reason`.execute(db);
  return rows;
}

const startOf = (day: string) => new Date(`${day}T00:00:00Z`);

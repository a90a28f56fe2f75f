import type { NetworkPostbacks } from '@bidwell/contract/skadnetwork/schema';
import type { Context } from '../../../context.ts';
import { INSTALL_POSTBACK_PATH } from '../../../delivery/public.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The outcomes of the postbacks that devices sent since a day (YYYY-MM-DD, UTC), of all companies, and where they send them. */
export async function receivedPostbacks(
  ctx: Context,
  operator: Operator,
  sinceDay: string,
): Promise<NetworkPostbacks> {
  requireOperatorPermission(operator, 'exchange.read');
  const [counted, uncounted] = await Promise.all([
    countedSince(ctx.db, sinceDay),
    uncountedSince(ctx.db, sinceDay),
  ]);
  return {
    url: `${publicUrlOf(ctx.config)}${INSTALL_POSTBACK_PATH}`,
    url_is_set: ctx.config.publicUrl !== undefined,
    counted: counted.count,
    last_counted_at: counted.lastAt?.toISOString() ?? null,
    uncounted: uncounted.map(({ reason, count, lastAt }) => ({
      reason,
      count,
      last_at: lastAt.toISOString(),
    })),
  };
}

type Reason = NetworkPostbacks['uncounted'][number]['reason'];

/** The postbacks since a day of UTC that count for a company, and the last of them. Spans companies, for operators. */
async function countedSince(db: Db, day: string): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*)::bigint as count, max(received_at) as "lastAt"
    from install_postbacks where company_uuid is not null and received_at >= ${startOf(day)}`.execute(db);
  return rows[0]!;
}

/** The postbacks since a day of UTC that count nowhere, by reason, the most frequent first. Spans companies, for operators. */
async function uncountedSince(
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

import { limits } from '@bidwell/contract/lib/limits';
import { messages } from '@bidwell/contract/text/messages';
import { sql } from 'kysely';
import { Conflict } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

const kinds = {
  apps: { max: limits.appsMax, noun: 'app' },
  creatives: { max: limits.creativesMax, noun: 'creative' },
  creative_groups: { max: limits.creativeGroupsMax, noun: 'creative group' },
  targets: { max: limits.targetsMax, noun: 'target' },
  audiences: { max: limits.audiencesMax, noun: 'audience' },
  tracking_links: { max: limits.trackingLinksMax, noun: 'tracking link' },
  adsets: { max: limits.adsetsMax, noun: 'ad set' },
  campaigns: { max: limits.campaignsMax, noun: 'campaign' },
} as const;

/**
 * Throws Conflict when a company has reached its limit of a kind of entity. Lists are not paged, so the limits bound the
 * length of a response. Two concurrent creates may exceed a limit by one.
 */
export async function requireRoom(db: Db, companyId: string, table: keyof typeof kinds): Promise<void> {
  const { max, noun } = kinds[table];
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from ${sql.table(table)} where company_uuid = ${companyId}
      ${table === 'apps' ? sql`and deleted_at is null` : sql``} limit ${max}
    ) present`.execute(db);
  if (rows[0]!.count >= max) throw new Conflict(messages.entityLimit(max, noun));
}

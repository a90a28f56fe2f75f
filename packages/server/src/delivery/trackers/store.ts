import type { Mmp } from '@bidwell/contract/apps/schema';
import { redactSecrets } from '@bidwell/contract/postbacks/schema';
import { sql } from 'kysely';
import type { Destination } from '../model/destination.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * The approved destination of clicks on a creative of an ad set, its own or that of the tracking link, without the company's
 * secrets; null when the ad set does not exist any more, or its link was never approved.
 */
export async function findDestination(
  db: Db,
  companyId: string,
  ids: { adsetId: string; campaignId: string; creativeId: string },
): Promise<Destination | null> {
  const row = await db
    .selectFrom('adsets')
    .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
    .innerJoin('companies', 'companies.uuid', 'adsets.company_uuid')
    .leftJoin('campaigns', (join) =>
      join.on('campaigns.uuid', '=', ids.campaignId).on('campaigns.company_uuid', '=', companyId),
    )
    .leftJoin('creatives', (join) =>
      join.on('creatives.uuid', '=', ids.creativeId).on('creatives.company_uuid', '=', companyId),
    )
    .select([
      sql<
        string | null
      >`coalesce(${approvedClickUrl('creatives')}, ${approvedClickUrl('tracking_links')})`.as('click_url'),
      'campaigns.name as campaign_name',
      'companies.postback_secret',
      'companies.postback_secret_previous',
    ])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.uuid', '=', ids.adsetId)
    .executeTakeFirst();
  if (!row?.click_url) return null;
  const secrets = [row.postback_secret, row.postback_secret_previous ?? ''];
  return { clickUrl: redactSecrets(row.click_url, secrets), campaignName: row.campaign_name ?? '' };
}

/** The click URL of the version that may run; null if there is none. */
function approvedClickUrl(table: 'creatives' | 'tracking_links') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column('status')} = 'Approved' then ${column('click_url')}
    else ${column('approved')} ->> 'click_url' end`;
}

/**
 * The company of a postback secret: the current one or, for a while after its rotation, the previous one. Searches all
 * companies, since the secret alone identifies one.
 */
export async function findCompanyByPostbackSecret(db: Db, secret: string, at: Date): Promise<string | null> {
  const row = await db
    .selectFrom('companies')
    .select('uuid')
    .where((where) =>
      where.or([
        where('postback_secret', '=', secret),
        where.and([
          where('postback_secret_previous', '=', secret),
          where('postback_secret_previous_until', '>', at),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/**
 * How companies check postbacks, for the partners that they configured. Works across companies, since a batch of
 * postbacks does.
 */
export async function findPostbackChecks(
  db: Db,
  companyIds: readonly string[],
): Promise<{ companyId: string; mmp: Mmp; networks: string[]; secret: string | null }[]> {
  if (companyIds.length === 0) return [];
  return db
    .selectFrom('postback_sources')
    .select(['company_uuid as companyId', 'mmp', 'networks', 'secret'])
    .where('company_uuid', 'in', companyIds)
    .execute();
}

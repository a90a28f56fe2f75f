import type { Db } from '../../../platform/postgres/transaction.ts';

/** The company's re-engagement campaigns, archived ones too. Reads an index that has no others. */
export async function reEngagementCampaigns(db: Db, companyId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('kind', '=', 're_engagement')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The company's re-engagement campaigns, archived ones too. Reads an index that has no others. */
export async function reEngagementCampaigns(db: Db, companyId: string): Promise<readonly string[]> {
  return campaignsOfKind(db, companyId, 're_engagement');
}

/** The company's campaigns of a kind, archived ones too. */
export async function campaignsOfKind(
  db: Db,
  companyId: string,
  kind: CampaignKind,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('kind', '=', kind)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

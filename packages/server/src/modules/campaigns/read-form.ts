import type { AppSummary } from '@bidwell/contract/app';
import type { Campaign } from '@bidwell/contract/campaign';
import type { CreatedRange } from '@bidwell/contract/wire';
import type { Db } from '../../platform/postgres/transaction.ts';
import { appSummaries } from '../apps/service.ts';
import type { CampaignAdsetRow, CampaignRow } from './store.ts';
import { adsetsOfCampaigns, listCampaigns } from './store.ts';

/** The company's campaigns created in the range with their apps and ad sets in the form of the wire, newest first. */
export async function readCampaigns(db: Db, companyId: string, range: CreatedRange): Promise<Campaign[]> {
  const rows = await listCampaigns(db, companyId, range);
  // After the rows, so that what they refer to is there.
  const [apps, adsetRows] = await Promise.all([
    appSummaries(db, companyId),
    adsetsOfCampaigns(db, companyId),
  ]);
  const adsets = new Map<string | null, CampaignAdsetRow[]>(rows.map((row) => [row.uuid, []]));
  for (const adset of adsetRows) adsets.get(adset.campaign_uuid)?.push(adset);
  return rows.map((row) => readForm(row, apps, adsets.get(row.uuid)!));
}

/** A row with its app and ad sets in the form of the wire. */
export async function readCampaign(db: Db, companyId: string, row: CampaignRow): Promise<Campaign> {
  const apps = await appSummaries(db, companyId, [row.app_uuid]);
  return readForm(row, apps, await adsetsOfCampaigns(db, companyId, [row.uuid]));
}

/** What the change log compares. */
export function logged({ app, app_uuid: _app, ...campaign }: Campaign): Record<string, unknown> {
  // An ad set's own status has its own rows in the log.
  const adsets = campaign.adsets.map(({ uuid, name }) => ({ uuid, name }));
  return { ...campaign, app: { uuid: app.uuid, name: app.name }, adsets };
}

function readForm(
  row: CampaignRow,
  apps: ReadonlyMap<string, AppSummary>,
  adsets: readonly CampaignAdsetRow[],
): Campaign {
  const app = apps.get(row.app_uuid);
  if (!app) throw new Error(`Campaign ${row.uuid} has no app`);
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    app_uuid: app.uuid,
    app,
    start_date: row.start_date,
    end_date: row.end_date,
    status: row.status,
    adsets: adsets.map(({ uuid, name, status }) => ({ uuid, name, status })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

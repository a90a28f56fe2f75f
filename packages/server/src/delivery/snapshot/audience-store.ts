import { type BidMultiplier, audiencesOfMultipliers } from '@bidwell/contract/adsets/multipliers';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { StoredAudience, WithoutId } from '../model/audience.ts';
import type { AdsetRow } from '../model/candidate.ts';

/** The audiences of companies. */
export interface UsedAudiences {
  byUuid: ReadonlyMap<string, StoredAudience>;
  /** Of the people who have an app, by the app. */
  installed: ReadonlyMap<string, StoredAudience>;
}

/** Loads the audiences of companies. Spans companies, like everything the bidder reads; no company sees the result. */
export async function loadUsedAudiences(db: Db, companyIds: readonly string[]): Promise<UsedAudiences> {
  const rows = await db
    .selectFrom('audiences')
    .select(['uuid', 'app_uuid as appId', 'is_installed as isInstalled', 'file_uuid as fileUuid', 'size'])
    .where('company_uuid', 'in', companyIds)
    .execute();
  const byUuid = new Map<string, StoredAudience>();
  const installed = new Map<string, StoredAudience>();
  for (const { uuid, appId, isInstalled, fileUuid, size } of rows) {
    const stored = { uuid, fileUuid, size };
    byUuid.set(uuid, stored);
    if (isInstalled && appId !== null) installed.set(appId, stored);
  }
  return { byUuid, installed };
}

/** What a row says of the audiences of an ad set and its target. */
interface AudienceSettings {
  appId: string;
  campaignKind: CampaignKind;
  audienceInclude: readonly (readonly string[])[];
  audienceExclude: readonly string[];
  audienceWithoutId: WithoutId;
  excludesInstalled: boolean;
  multipliers: readonly BidMultiplier[];
  /** A target of an earlier release lacks the fields. */
  target: Partial<Pick<TargetSettings, 'audience_include' | 'audience_exclude'>>;
}

/** The audiences of an ad set and its target, which most do not have: both have to be satisfied. */
export function audiencesOfAdset(
  row: AudienceSettings,
  used: UsedAudiences,
): Pick<AdsetRow, 'audiences' | 'multiplierAudiences'> {
  const { target } = row;
  // A re-engagement campaign is for the people who have the app.
  const leavesOut = row.excludesInstalled && row.campaignKind === 'acquisition';
  const installed = leavesOut ? used.installed.get(row.appId) : undefined;
  const include = [...row.audienceInclude, ...(target.audience_include ?? [])];
  const exclude = [
    ...new Set([
      ...row.audienceExclude,
      ...(target.audience_exclude ?? []),
      ...(installed ? [installed.uuid] : []),
    ]),
  ];
  const storedOf = (uuids: readonly string[]) =>
    [...new Set(uuids)].flatMap((uuid) => used.byUuid.get(uuid) ?? []);
  const multiplied = storedOf(audiencesOfMultipliers(row.multipliers));
  return {
    ...((include.length > 0 || exclude.length > 0) && {
      audiences: {
        include,
        exclude,
        withoutId: row.audienceWithoutId,
        stored: storedOf([...include.flat(), ...exclude]),
      },
    }),
    ...(multiplied.length > 0 && { multiplierAudiences: multiplied }),
  };
}

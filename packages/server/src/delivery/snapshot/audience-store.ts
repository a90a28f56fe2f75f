import type { Db } from '../../platform/postgres/transaction.ts';
import type { CompiledAudiences, StoredAudience, WithoutId } from '../model/audience.ts';

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

/** The audiences of an ad set and its target as rows have them. */
interface AudienceSettings {
  include: readonly (readonly string[])[];
  exclude: readonly string[];
  withoutId: WithoutId;
  /** The app whose people are left out; null for none. */
  installedOf: string | null;
}

/** The audiences of an ad set; null for none. */
export function compiledAudiencesOf(
  { include, exclude, withoutId, installedOf }: AudienceSettings,
  used: UsedAudiences,
): CompiledAudiences | null {
  const installed = installedOf === null ? undefined : used.installed.get(installedOf);
  const excluded = [...new Set([...exclude, ...(installed ? [installed.uuid] : [])])];
  if (include.length === 0 && excluded.length === 0) return null;
  const uuids = new Set([...include.flat(), ...excluded]);
  const stored = [...uuids].flatMap((uuid) => used.byUuid.get(uuid) ?? []);
  return { include, exclude: excluded, withoutId, stored };
}

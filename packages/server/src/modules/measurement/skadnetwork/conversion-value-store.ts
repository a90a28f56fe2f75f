import type { ConversionRule, ConversionVersion } from '@bidwell/contract/skadnetwork/conversion-values';
import { anyOf, json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The versions of an app's conversion values, the newest first. */
export async function versionsOf(
  db: Db,
  companyId: string,
  appId: string,
  limit: number,
): Promise<ConversionVersion[]> {
  return db
    .selectFrom('conversion_value_versions')
    .select(['valid_from', 'rules'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .orderBy('valid_from', 'desc')
    .limit(limit)
    .execute();
}

/** The versions of the conversion values of some apps, by app and day; their number is bounded by app. */
export async function versionsOfApps(
  db: Db,
  companyId: string,
  appIds: readonly string[],
): Promise<(ConversionVersion & { app_uuid: string })[]> {
  if (appIds.length === 0) return [];
  return db
    .selectFrom('conversion_value_versions')
    .select(['app_uuid', 'valid_from', 'rules'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', anyOf(appIds))
    .orderBy('app_uuid')
    .orderBy('valid_from')
    .execute();
}

/** How many versions an app has. */
export async function countVersions(db: Db, companyId: string, appId: string): Promise<number> {
  const { count } = await db
    .selectFrom('conversion_value_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Saves the version that begins on a day, in place of an earlier one of this day. */
export async function saveVersion(
  db: Db,
  companyId: string,
  appId: string,
  { validFrom, rules }: { validFrom: string; rules: readonly ConversionRule[] },
): Promise<void> {
  const own = { rules: json(rules) };
  await db
    .insertInto('conversion_value_versions')
    .values({ app_uuid: appId, company_uuid: companyId, valid_from: validFrom, ...own })
    .onConflict((conflict) => conflict.columns(['app_uuid', 'valid_from']).doUpdateSet(own))
    .execute();
}

/** The labels of in-app events of some apps, by app and name; only people set them. */
export async function eventLabelsOfApps(
  db: Db,
  companyId: string,
  appIds: readonly string[],
): Promise<{ app_uuid: string; name: string; label: string | null }[]> {
  if (appIds.length === 0) return [];
  return db
    .selectFrom('app_event_names')
    .select(['app_uuid', 'name', 'label'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', anyOf(appIds))
    .where('label', 'is not', null)
    .execute();
}

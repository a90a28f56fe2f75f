import { dateAt } from '@bidwell/contract/lib/calendar';
import {
  CONVERSION_VERSIONS_MAX,
  type ConversionRule,
  type ConversionValues,
  type ConversionValuesInput,
  type ConversionVersion,
} from '@bidwell/contract/skadnetwork/conversion-values';
import { skadnetworkApiMessages } from '@bidwell/contract/skadnetwork/api-messages';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid } from '../../../platform/errors.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { getApp, lockAppsOf } from '../../catalog/public.ts';
import { recordChange } from '../../changes/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { anyOf, json } from '../../../platform/postgres/client.ts';

/** Versions that a response lists. */
const LISTED_MAX = 20;

/** The meaning of an app's conversion values, today and before. Throws NotFound. */
export async function conversionValuesOf(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<ConversionValues> {
  requirePermission(actor, 'app.read');
  await getApp(ctx, actor, uuid);
  const versions = await versionsOf(ctx.db, actor.companyId, uuid, LISTED_MAX);
  return { rules: versions[0]?.rules ?? [], versions };
}

/**
 * Changes the meaning of an app's conversion values for postbacks that arrive from today on, in the company's time zone. Throws
 * NotFound; Invalid for an app of another store; Conflict when it was changed on too many days.
 */
export async function changeConversionValues(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: ConversionValuesInput & { uuid: string },
): Promise<ConversionValues> {
  requirePermission(actor, 'app.write');
  const { companyId } = actor;
  const { name, os } = await getApp(ctx, actor, uuid);
  if (os !== 'ios')
    throw new Invalid([{ field: 'rules', message: skadnetworkApiMessages.conversionValuesOs }]);
  const today = dateAt(ctx.now().getTime(), await timeZoneOf(ctx.db, companyId));
  return transact(ctx.db, async (tx) => {
    await lockAppsOf(tx, companyId);
    const [last] = await versionsOf(tx.db, companyId, uuid, 1);
    await requireExpected(() => ({ rules: last?.rules ?? [], versions: [] }));
    const isNew = last?.valid_from !== today;
    if (isNew && (await countVersions(tx.db, companyId, uuid)) >= CONVERSION_VERSIONS_MAX)
      throw new Conflict(skadnetworkApiMessages.conversionVersions(CONVERSION_VERSIONS_MAX));
    const rules = input.rules.map((rule) => ({ ...rule, event: rule.event || null }));
    await saveVersion(tx.db, companyId, uuid, { validFrom: today, rules });
    await recordChange(ctx, tx, actor, {
      entity: 'app',
      uuid,
      name,
      before: { conversion_values: (last?.rules ?? []).map(ruleText) },
      after: { conversion_values: rules.map(ruleText) },
    });
    const versions = await versionsOf(tx.db, companyId, uuid, LISTED_MAX);
    return { rules, versions };
  });
}

/** Finds the rules that explain an app's postbacks of a day; none where no version had begun. */
export async function rulesByDay(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
  appIds: readonly string[],
): Promise<(appId: string, day: string) => readonly ConversionRule[]> {
  const versions = groupBy(await versionsOfApps(db, companyId, appIds), ({ app_uuid }) => app_uuid);
  return (appId, day) => versions.get(appId)?.findLast(({ valid_from: from }) => from <= day)?.rules ?? [];
}

/** Finds the display name of an app's in-app event: its label, or its name if it has none. */
export async function eventsAsShown(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
  appIds: readonly string[],
): Promise<(appId: string, name: string) => string> {
  const labels = groupBy(await eventLabelsOfApps(db, companyId, appIds), ({ app_uuid }) => app_uuid);
  return (appId, name) => labels.get(appId)?.find((event) => event.name === name)?.label ?? name;
}

function ruleText(rule: ConversionRule): string {
  const { window, coarse, fine_from: from, fine_to: to, event, revenue_from: low, revenue_to: high } = rule;
  const values = coarse ?? (from === to ? `${from}` : `${from}-${to}`);
  const revenue = low === null ? [] : [`$${low}-${high}`];
  return `window ${window}, ${values}: ${[event ?? '', ...revenue].filter((text) => text !== '').join(', ')}`;
}

/** The versions of an app's conversion values, the newest first. */
async function versionsOf(
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
async function versionsOfApps(
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
async function countVersions(db: Db, companyId: string, appId: string): Promise<number> {
  const { count } = await db
    .selectFrom('conversion_value_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Saves the version that begins on a day, in place of an earlier one of this day. */
async function saveVersion(
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
async function eventLabelsOfApps(
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

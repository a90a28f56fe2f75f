import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import type {
  Adset,
  AdsetInput,
  AdsetListQuery,
  AdsetStatus,
  AdsetSummary,
  AdsetUpdate,
} from '@bidwell/contract/adsets/schema';
import { type AppStoreFields, appStoreErrors } from '@bidwell/contract/adsets/app-store';
import type { AppSummary } from '@bidwell/contract/apps/schema';
import { countryGoalsError, goalMessages, missingGoal } from '@bidwell/contract/adsets/missing-goal';
import { isOwnDeepLink } from '@bidwell/contract/adsets/own-deep-link';
import { copyName } from '@bidwell/contract/duplicates/copy-name';
import { adsetApiMessages } from '@bidwell/contract/adsets/api-messages';
import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { isAlgorithmOf } from '@bidwell/contract/campaigns/kind';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import type { Micros } from '@bidwell/contract/lib/money';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, type FieldError, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import {
  appsOf,
  audienceNaming,
  knownGroups,
  requireApp,
  requireAudiences,
  requireExchanges,
  excludesAllIncluded,
  requireNoContradiction,
  requireRoom,
} from '../../catalog/public.ts';
import {
  findOwned,
  insertOwned,
  lockOwnedShared,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { missingApprovalToRaise, raisesBudget } from '../approvals/budget-approval.ts';
import { recordCopied, recordSaved } from '../../changes/public.ts';
import { hasBundles, requireBundleRoom, requireBundleRoomForCopy } from './bundle-bytes.ts';
import {
  columnsOf,
  fieldColumnsOf,
  inputOf,
  logged,
  loggedOfCopy,
  presentAdset,
  presentSummary,
} from './presenter.ts';
import {
  type AdsetFieldsRow,
  type AdsetGroupRow,
  type AdsetRow,
  archivedParts,
  findAdset,
  findAdsetNames,
  findAdsetSpend,
  findAdsets,
  groupOfAnotherApp,
  groupsOfAdsets,
  listAdsetSummaries as selectAdsetSummaries,
  listAdsets as selectAdsets,
  lockAdset,
  replaceGroups,
  sumOfBundleBytes,
} from './store.ts';
import { saveInTurn } from './save-queue.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { BundleChange } from '@bidwell/contract/campaign-reports/bundles';
import { limits } from '@bidwell/contract/lib/limits';

/** Ad sets that one call copies at most: each takes some queries of one transaction. */
const COPIES_MAX = 100;

/**
 * The ad sets of a campaign, or all of the company, newest first. Throws Invalid where their bundle lists have more bytes
 * than all of a company may have, which an earlier release stored.
 */
export async function listAdsets(
  { db, config }: Pick<Context, 'db' | 'config'>,
  actor: Actor,
  { campaign_id: campaignUuid }: AdsetListQuery,
): Promise<Adset[]> {
  requirePermission(actor, 'adset.read');
  const { companyId } = actor;
  const bytes = await sumOfBundleBytes(db, companyId, campaignUuid);
  const max = config.bundleBytesMax.company;
  if (bytes > max)
    throw new Invalid([{ field: 'campaign_id', message: adsetApiMessages.adsetListBytes(bytes, max) }]);
  return loadAdsets(db, companyId, await selectAdsets(db, companyId, campaignUuid));
}

/** Size of the bundle lists and bids of {@link listAdsets}, in bytes of JSON. */
export async function bundleBytesOfList(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { campaign_id: campaignUuid }: AdsetListQuery,
): Promise<number> {
  requirePermission(actor, 'adset.read');
  const { companyId } = actor;
  return sumOfBundleBytes(db, companyId, campaignUuid);
}

/** The ad sets of the company without their bundles, newest first. */
export async function listAdsetSummaries(ctx: Pick<Context, 'db'>, actor: Actor): Promise<AdsetSummary[]> {
  requirePermission(actor, 'adset.read');
  return adsetsOfCompany(ctx, actor);
}

/** {@link listAdsetSummaries}, or those among `uuids`, within a call that checked its own permission. */
export async function adsetsOfCompany(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
  uuids?: readonly string[],
): Promise<AdsetSummary[]> {
  return load(db, companyId, await selectAdsetSummaries(db, companyId, uuids), presentSummary);
}

/** The company's ad sets among `uuids`, in no order. */
export async function adsetsByUuid(
  ctx: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<Adset[]> {
  return loadAdsets(ctx.db, companyId, await findAdsets(ctx.db, companyId, uuids));
}

/** Names of the company's ad sets among `uuids`. */
export async function namesOfAdsets(
  ctx: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return findAdsetNames(ctx.db, companyId, uuids);
}

/** Spend of all time of the company's ad sets among `uuids`, in micros; ad sets without any are absent. */
export async function spendOfAdsets(
  ctx: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  return findAdsetSpend(ctx.db, companyId, uuids);
}

/** Reads one ad set. Throws NotFound. */
export async function getAdset(ctx: Context, actor: Actor, uuid: string): Promise<Adset> {
  requirePermission(actor, 'adset.read');
  return adsetOf(ctx, actor, uuid);
}

/** {@link getAdset} within a call that checked its own permission. */
export async function adsetOf(ctx: Context, { companyId }: Owner, uuid: string): Promise<Adset> {
  return loadAdset(ctx.db, companyId, await findAdset(ctx.db, companyId, uuid));
}

/**
 * Creates an ad set, by default Active: it spends once its campaign is started. Prices and budgets are in dollars.
 * Throws Invalid for references that do not exist, are archived, or belong to different apps, and for bundles that are too
 * long together; Conflict at the company's limit.
 */
export async function createAdset(ctx: Context, actor: Actor, input: AdsetInput): Promise<Adset> {
  requirePermission(actor, 'adset.write');
  requireCountryGoals(input);
  return saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      await requireOneApp(tx.db, actor.companyId, input, null);
      await requireAudiences(tx.db, actor.companyId, input, null);
      requireNoContradiction(input, null);
      await requireExchanges(tx.db, input.bid_multipliers, []);
      await requireBundleRoom(ctx.config, tx.db, actor.companyId, { before: null, after: input });
      const adset = await insertAdset(ctx, tx, actor.companyId, { ...input, campaignUuid: null });
      await recordSavedAdset(ctx, tx, actor, null, adset);
      return adset;
    }),
  );
}

/**
 * Copies an ad set, Paused, into the campaign of the original, if any. The campaign, target and creatives of the
 * original may be archived. Throws NotFound; Conflict at the company's limit.
 */
export async function duplicateAdset(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<Adset> {
  requirePermission(actor, 'adset.write');
  return saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      const { companyId } = actor;
      const original = await lockedAdset(tx.db, companyId, uuid);
      const name = copyName(original.name);
      return copyOf(ctx, tx, actor, original, {
        name,
        status: 'Paused',
        campaignUuid: original.campaign?.uuid ?? null,
      });
    }),
  );
}

/**
 * Copies the ad sets of a campaign that are not archived, with their names and statuses, into another campaign, in the
 * caller's transaction. Throws Conflict at the company's limit, and if there are more than {@link COPIES_MAX}.
 */
export async function copyAdsets(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { companyId } = actor;
  const rows = (await selectAdsets(tx.db, companyId, from)).filter((row) => row.archived_at === null);
  if (rows.length > COPIES_MAX) throw new Conflict(campaignApiMessages.copiesMax(COPIES_MAX));
  // Oldest first, so that the copies are listed in the order of the originals.
  for (const original of (await loadAdsets(tx.db, companyId, rows)).reverse()) {
    const { name, status } = original;
    await copyOf(ctx, tx, actor, original, { name, status, campaignUuid: to });
  }
}

async function copyOf(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  original: Adset,
  { name, status, campaignUuid }: { name: string; status: AdsetStatus; campaignUuid: string | null },
): Promise<Adset> {
  const input = inputOf(original);
  // The campaign, target and creatives of the original may be archived.
  await requireOneApp(tx.db, actor.companyId, input, input);
  await requireBundleRoomForCopy(ctx.config, tx.db, actor.companyId, original);
  const adset = await insertAdset(ctx, tx, actor.companyId, { ...input, name, status, campaignUuid });
  const named = await audienceNaming(tx.db, actor.companyId, [adset]);
  await recordCopied(ctx, tx, actor, {
    entity: 'adset',
    uuid: adset.uuid,
    fields: named(loggedOfCopy(adset)),
    original,
  });
  return adset;
}

async function recordSavedAdset(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: Adset | null,
  after: Adset,
): Promise<void> {
  const named = await audienceNaming(tx.db, actor.companyId, [before, after]);
  await recordSaved(ctx, tx, actor, {
    entity: 'adset',
    before,
    after,
    logged: (adset) => named(logged(adset)),
  });
}

/** Inserts an ad set whose parts are checked. Throws Conflict at the company's limit. */
async function insertAdset(
  ctx: Context,
  tx: Tx,
  companyId: string,
  input: AdsetInput & { campaignUuid: string | null },
): Promise<Adset> {
  await requireRoom(tx.db, companyId, 'adsets');
  const uuid = uuidv7();
  const at = ctx.now();
  await insertOwned(tx.db, 'adsets', companyId, {
    uuid,
    ...columnsOf(input),
    campaign_uuid: input.campaignUuid,
    status: input.status ?? 'Active',
    created_at: at,
    updated_at: at,
  });
  await replaceGroups(tx.db, companyId, uuid, unique(input.creative_group_ids));
  return loadAdset(tx.db, companyId, await findAdset(tx.db, companyId, uuid));
}

/**
 * Changes the given fields. Throws NotFound; Invalid like {@link createAdset}, for another app than the campaign's, and where
 * an ad set of a running campaign would lack the price that its algorithm needs, or may spend more than a second person approved.
 */
export async function updateAdset(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AdsetUpdate & { uuid: string },
): Promise<Adset> {
  requirePermission(actor, 'adset.write');
  return saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      const before = await lockedAdset(tx.db, actor.companyId, uuid);
      await requireExpected(() => before);
      return changeAdset(ctx, tx, actor, before, input);
    }),
  );
}

/**
 * Blocks or unblocks a publisher's bundle in ad sets of a campaign, or changes their bids there: in all of them or in none,
 * each a change of its own in the change log. Throws NotFound for ad sets that the campaign does not have; Invalid where a
 * list would become too long.
 */
export async function changeBundle(
  ctx: Context,
  actor: Actor,
  campaignUuid: string,
  { bundle, adsets }: BundleChange,
): Promise<Adset[]> {
  requirePermission(actor, 'adset.write');
  return saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      const changed: Adset[] = [];
      // In the order of their ids, so that concurrent changes do not lock each other out.
      for (const { uuid, blocked, bid_cpm: bid } of adsets.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
        const before = await lockedAdset(tx.db, actor.companyId, uuid);
        if (before.campaign?.uuid !== campaignUuid) throw new NotFound('Ad set');
        const input = {
          ...(blocked !== undefined && { black_list_bundles: blockedBundles(before, bundle, blocked) }),
          ...(bid !== undefined && { bundle_bids: bundleBids(before, bundle, bid) }),
        };
        changed.push(await changeAdset(ctx, tx, actor, before, input));
      }
      return changed;
    }),
  );
}

/** Reads an ad set and locks it until the transaction ends. Throws NotFound. */
export async function lockedAdset(db: Db, companyId: string, uuid: string): Promise<Adset> {
  return loadAdset(db, companyId, await lockAdset(db, companyId, uuid));
}

/**
 * {@link updateAdset} in the caller's transaction, of an ad set that it has locked. `isApproved`: the caller sees to it that a second
 * person approved the budgets.
 */
export async function changeAdset(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: Adset,
  input: AdsetUpdate,
  { isApproved = false } = {},
): Promise<Adset> {
  const { companyId } = actor;
  const { uuid } = before;
  const merged = { ...inputOf(before), ...input };
  const isOfAppStore = Boolean(input.product_page_id ?? input.overlay);
  if (
    isOfAppStore ||
    (input.deep_link ?? input.target_id ?? input.tracking_link_id ?? input.creative_group_ids)
  ) {
    const appUuid = await requireOneApp(tx.db, companyId, merged, inputOf(before));
    await requireAppOfCampaign(tx.db, companyId, before, appUuid);
  }
  await requireAudiences(tx.db, companyId, input, before);
  requireNoContradiction(input, before);
  await requireSomeoneLeft(tx.db, companyId, before, input);
  await requireExchanges(tx.db, input.bid_multipliers ?? [], before.bid_multipliers);
  await requireGoal(tx.db, companyId, before, input);
  await requireAlgorithmOfCampaign(tx.db, companyId, before, input);
  if (input.algo ?? input.goals_by_country) requireCountryGoals(merged);
  const isOfBundles = hasBundles(input);
  if (isOfBundles) await requireBundleRoom(ctx.config, tx.db, companyId, { before, after: merged });
  await updateOwned(tx.db, 'adsets', companyId, uuid, {
    // Bundles may have 1 MiB: a change of a bid does not write them again.
    ...(isOfBundles ? columnsOf(merged) : fieldColumnsOf(merged)),
    status: input.status,
    updated_at: ctx.now(),
  });
  if (input.creative_group_ids) {
    await replaceGroups(tx.db, companyId, uuid, unique(input.creative_group_ids));
  }
  const after = await loadAdset(tx.db, companyId, await findAdset(tx.db, companyId, uuid));
  if (!isApproved) await requireApprovedRaise(tx, companyId, before, after);
  await recordSavedAdset(ctx, tx, actor, before, after);
  return after;
}

/** Throws Invalid where an ad set of a running campaign may spend more than before, and a second person has to approve it. */
async function requireApprovedRaise(tx: Tx, companyId: string, before: Adset, after: Adset): Promise<void> {
  if (!after.campaign || !raisesBudget(before, after)) return;
  const message = await missingApprovalToRaise(tx, companyId, after.campaign.uuid);
  if (message === null) return;
  const field = (['daily_budget_const', 'all_budget_const'] as const).find(
    (name) => after[name] !== before[name],
  );
  throw new Invalid([field ?? 'status', APPROVAL_FIELD].map((name) => ({ field: name, message })));
}

type AdsetParts = Pick<AdsetInput, 'target_id' | 'tracking_link_id' | 'creative_group_ids' | 'deep_link'> &
  AppStoreFields;

/**
 * Checks that target, tracking link and creative groups exist and belong to one app, and returns its uuid. New ones,
 * which the ad set did not have `before`, must not be archived. Throws Invalid, also for settings that only apps of the
 * App Store have, and for a new deep link to another website than the developer's.
 */
async function requireOneApp(
  db: Db,
  companyId: string,
  input: AdsetParts,
  before: AdsetParts | null,
): Promise<string> {
  const target = await lockOwnedShared(db, 'targets', companyId, input.target_id);
  const link = await lockOwnedShared(db, 'tracking_links', companyId, input.tracking_link_id);
  const groupUuids = unique(input.creative_group_ids);
  const errors = [];
  if (!target) errors.push({ field: 'target_id', message: apiMessages.notFound('Target') });
  if (!link) errors.push({ field: 'tracking_link_id', message: apiMessages.notFound('Tracking link') });
  if ((await knownGroups(db, companyId, groupUuids)).length < groupUuids.length) {
    errors.push({ field: 'creative_group_ids', message: apiMessages.notFound('Creative group') });
  }
  if (!target || !link || errors.length > 0) throw new Invalid(errors);
  const appUuid = target.app_uuid;
  const isNewTarget = input.target_id !== before?.target_id;
  const app = await requireApp(db, companyId, appUuid, 'target_id', { mayBeArchived: !isNewTarget });
  const { deep_link: deepLink } = input;
  const isNewLink = isNewTarget || deepLink !== before?.deep_link;
  const foreignFields: FieldError[] = appStoreErrors(app.os, input);
  if (deepLink !== null && isNewLink && !isOwnDeepLink(deepLink, app.advertiser_domain))
    foreignFields.push({
      field: 'deep_link',
      message: adsetApiMessages.foreignDeepLink(app.advertiser_domain),
    });
  if (foreignFields.length > 0) throw new Invalid(foreignFields);
  const archived = await archivedParts(db, companyId, {
    targetUuid: isNewTarget ? input.target_id : null,
    linkUuid: input.tracking_link_id === before?.tracking_link_id ? null : input.tracking_link_id,
    groupUuids: groupUuids.filter((uuid) => !before?.creative_group_ids.includes(uuid)),
  });
  if (archived.length > 0) {
    throw new Invalid(
      archived.map(({ kind, name }) => ({
        field: partFields[kind],
        message: messages.archived(kind, name),
      })),
    );
  }
  if (link.app_uuid !== appUuid) {
    throw new Invalid([{ field: 'tracking_link_id', message: adsetApiMessages.linkOfOtherApp }]);
  }
  const foreign = await groupOfAnotherApp(db, companyId, groupUuids, appUuid);
  if (foreign !== undefined) {
    const message = adsetApiMessages.groupOfOtherApp(foreign);
    throw new Invalid([{ field: 'creative_group_ids', message }]);
  }
  return appUuid;
}

const partFields = {
  target: 'target_id',
  'tracking link': 'tracking_link_id',
  'creative group': 'creative_group_ids',
} as const;

async function requireAppOfCampaign(db: Db, companyId: string, adset: Adset, appUuid: string): Promise<void> {
  if (!adset.campaign) return;
  const campaign = await findOwned(db, 'campaigns', companyId, adset.campaign.uuid);
  if (campaign?.app_uuid === appUuid) return;
  const message = adsetApiMessages.campaignOfOtherApp(adset.campaign.name);
  throw new Invalid([{ field: 'target_id', message }]);
}

/** Throws Invalid for goals of countries that do not fit the bid strategy. */
function requireCountryGoals(input: Pick<AdsetInput, 'algo' | 'goals_by_country'>): void {
  const message = countryGoalsError(input);
  if (message !== null) throw new Invalid([{ field: 'goals_by_country', message }]);
}

/** Throws Invalid where an ad set of a re-engagement campaign would get another bid strategy than Manual CPM. */
async function requireAlgorithmOfCampaign(
  db: Db,
  companyId: string,
  { campaign: of, name }: Adset,
  { algo }: AdsetUpdate,
): Promise<void> {
  if (!of || algo === undefined) return;
  const campaign = await findOwned(db, 'campaigns', companyId, of.uuid);
  if (campaign && !isAlgorithmOf(campaign.kind, algo))
    throw new Invalid([{ field: 'algo', message: campaignApiMessages.manualCpmOnly(name) }]);
}

/**
 * Throws Invalid where an ad set of an acquisition campaign would include only people who have the app, whom it leaves out. What was stored
 * so before does not stop other changes.
 */
async function requireSomeoneLeft(
  db: Db,
  companyId: string,
  before: Adset,
  input: AdsetUpdate,
): Promise<void> {
  const { audience_include: include, audience_exclude: exclude, exclude_installed: leavesOut } = input;
  if (!before.campaign || (include ?? exclude ?? leavesOut) === undefined) return;
  const after = {
    audience_include: include ?? before.audience_include,
    audience_exclude: exclude ?? before.audience_exclude,
    exclude_installed: leavesOut ?? before.exclude_installed,
  };
  const campaign = await findOwned(db, 'campaigns', companyId, before.campaign.uuid);
  if (campaign?.kind !== 'acquisition') return;
  const leavesNone = async (settings: typeof after) =>
    excludesAllIncluded(db, companyId, campaign.app_uuid, settings);
  if (!(await leavesNone(after)) || (await leavesNone(before))) return;
  throw new Invalid([
    {
      field: leavesOut === undefined ? 'audience_include' : 'exclude_installed',
      message: audienceApiMessages.installedContradiction,
    },
  ]);
}

/**
 * Throws Invalid where an ad set of a running campaign would lack the goal of its bid strategy: it would stop. One that an
 * earlier release left without a price can be changed in other fields.
 */
async function requireGoal(db: Db, companyId: string, before: Adset, input: AdsetUpdate): Promise<void> {
  const { status, algo, bet_cpi: cpi, goal_event: event, cpa, roas } = input;
  const isOfGoal = [status, algo, cpi, event, cpa, roas].some((value) => value !== undefined);
  const after = { ...before, ...input };
  const missing = missingGoal(after);
  if (!isOfGoal || !before.campaign || after.status === 'Paused' || missing === null) return;
  // Shared, so that no start of the campaign sees the price that is taken away here.
  const campaign = await lockOwnedShared(db, 'campaigns', companyId, before.campaign.uuid);
  if (campaign?.status === 'Active') throw new Invalid([{ field: missing, message: goalMessages[missing] }]);
}

async function loadAdset(db: Db, companyId: string, row: AdsetRow | undefined): Promise<Adset> {
  const [adset] = row ? await loadAdsets(db, companyId, [row]) : [];
  if (!adset) throw new NotFound('Ad set');
  return adset;
}

async function loadAdsets(db: Db, companyId: string, rows: readonly AdsetRow[]): Promise<Adset[]> {
  return load(db, companyId, rows, presentAdset);
}

async function load<Row extends AdsetFieldsRow, Presented>(
  db: Db,
  companyId: string,
  rows: readonly Row[],
  present: (row: Row, app: AppSummary, groups: readonly AdsetGroupRow[]) => Presented,
): Promise<Presented[]> {
  const adsetUuids = rows.map((row) => row.uuid);
  const [appOf, groupRows] = await Promise.all([
    appsOf(db, companyId, rows),
    groupsOfAdsets(db, companyId, adsetUuids),
  ]);
  const groups = new Map<string, AdsetGroupRow[]>(adsetUuids.map((uuid) => [uuid, []]));
  for (const group of groupRows) groups.get(group.adset_uuid)?.push(group);
  return rows.map((row) => present(row, appOf(row), groups.get(row.uuid) ?? []));
}

function unique(uuids: readonly string[]): string[] {
  return [...new Set(uuids)];
}

function blockedBundles(
  { black_list_bundles: list, name }: Adset,
  bundle: string,
  blocked: boolean,
): string[] {
  const others = list.filter((one) => one !== bundle);
  if (!blocked) return others;
  if (others.length === list.length) requireRoomFor(others.length, name);
  return others.length === list.length ? [...list, bundle] : list;
}

function bundleBids(
  { bundle_bids: bids, name }: Adset,
  bundle: string,
  bid: number | null,
): Record<string, number> {
  const others = Object.entries(bids).filter(([one]) => one !== bundle);
  if (bid !== null) requireRoomFor(others.length, name);
  return Object.fromEntries([...others, ...(bid === null ? [] : [[bundle, bid] as const])]);
}

function requireRoomFor(present: number, adsetName: string): void {
  if (present < limits.bundleListMax) return;
  throw new Invalid([
    { field: 'bundle', message: adsetApiMessages.bundleListFull(adsetName, limits.bundleListMax) },
  ]);
}

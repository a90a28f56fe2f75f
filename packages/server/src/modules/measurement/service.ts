import type { Mmp } from '@bidwell/contract/apps/fields';
import {
  MEASUREMENT_ROWS_MAX,
  type Measurement,
  type MeasurementQuery,
  type MeasurementCounts,
  type Rejection,
  type RejectionReason,
} from '@bidwell/contract/measurement/schema';
import type { Context } from '../../context.ts';
import { type LinkHistory, adsetsWithLink, linkHistory } from '../../delivery/public.ts';
import type { Actor, Owner } from '../../platform/actor.ts';
import { addToSum, groupBy } from '../../platform/group-by.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { campaignOf } from '../campaigns/public.ts';
import { linkOf, linksWithApps } from '../catalog/public.ts';
import {
  type CountsRow,
  type Period,
  ROWS_MAX,
  countForReport,
  periodOf,
  rangeOf,
  withinReportLimits,
} from '../reporting/public.ts';
import { presentInApp, readInApp } from './in-app.ts';
import { readUncounted, readUnreadTimes } from './uncounted-events.ts';
import {
  type PartnerReason,
  type PostbackFilter,
  type PostbacksOfLink,
  clicksBetween,
  partnerReasons,
  postbacksByLink,
} from './store.ts';
import { rateOf } from '@bidwell/contract/lib/rate';

const DAY_MS = 86_400_000;

/**
 * The outcomes of the clicks and postbacks of a range of days, by measurement partner and tracking link. A click counts for the
 * link that its ad set had then, and a postback for the link of its click. Throws NotFound for an unknown campaign or tracking
 * link; Invalid for dates that are not supported, and for a report that exceeds its limits.
 */
export async function measurementReport(
  ctx: Context,
  actor: Actor,
  { campaign_id: campaignId, tracking_link_id: trackingLinkId, ...query }: MeasurementQuery,
): Promise<Measurement> {
  requirePermission(actor, 'report.read');
  const mmp = await partnerOf(ctx, actor, campaignId, trackingLinkId);
  const period = periodOf(await rangeOf(ctx, actor, query));
  const filter = { campaignId, trackingLinkId, mmp };
  const [clicks, { postbacks, reasons }, inApp, uncounted, unread] = await Promise.all([
    clicksByLink(ctx, actor, period, filter),
    readPostbacks(ctx, actor, period, filter),
    readInApp(ctx, actor.companyId, period, filter),
    readUncounted(ctx, actor.companyId, period, filter),
    readUnreadTimes(ctx, actor.companyId, period, filter),
  ]);
  const inAppOfLink = groupBy(inApp, ({ linkId }) => linkId ?? '');
  const linkIds = [...clicks.byLink.keys(), ...postbacks.flatMap((row) => row.trackingLinkId ?? [])];
  const links = await linksWithApps(ctx, actor, [...new Set(linkIds)]);
  const partnerOfLink = (linkId: string) => links.get(linkId)?.app.mobile_measurement_partner;
  const { attributed, unattributed } = talliesOf({ clicks, postbacks, reasons, partnerOfLink });
  const sorted = attributed.toSorted((a, b) => weightOf(b.tally) - weightOf(a.tally));
  const rest = sorted.slice(MEASUREMENT_ROWS_MAX).map(({ tally }) => tally);
  rest.push(...beyondOf(clicks));
  const storedFromMs = ctx.now().getTime() - ctx.config.retentionDays.postbacks * DAY_MS;
  const isWhole = (partner?: Mmp) =>
    period.fromMs >= storedFromMs &&
    !unattributed.some(({ mmp: own, tally }) => tally.installs > 0 && (!partner || own === partner));
  return {
    rows: sorted.slice(0, MEASUREMENT_ROWS_MAX).map(({ mmp: partner, linkId, tally }) => {
      const { uuid, name, app } = links.get(linkId)!;
      return {
        mmp: partner,
        tracking_link: { uuid, name },
        app: { uuid: app.uuid, name: app.name },
        ...presentTally(tally, isWhole(partner)),
        in_app_events: presentInApp(inAppOfLink.get(linkId) ?? []),
      };
    }),
    other: rest.length > 0 ? presentTally(sumOfTallies(rest), isWhole()) : null,
    total: presentTally(sumOfTallies([...sorted.map(({ tally }) => tally), ...beyondOf(clicks)]), isWhole()),
    unattributed: unattributed.map(({ mmp: partner, tally }) => ({
      mmp: partner,
      ...presentTally(tally, false),
    })),
    in_app_events: presentInApp(inApp),
    uncounted_events: uncounted,
    unread_times: unread,
    postback_days: ctx.config.retentionDays.postbacks,
  };
}

/** The partner of the app of a campaign or tracking link; undefined without either. Throws NotFound. */
async function partnerOf(
  ctx: Context,
  actor: Actor,
  campaignId: string | undefined,
  trackingLinkId: string | undefined,
): Promise<Mmp | undefined> {
  if (campaignId !== undefined)
    return (await campaignOf(ctx, actor, campaignId)).app.mobile_measurement_partner;
  if (trackingLinkId !== undefined)
    return (await linkOf(ctx, actor, trackingLinkId)).app.mobile_measurement_partner;
  return undefined;
}

async function readPostbacks(
  ctx: Context,
  { companyId }: Owner,
  period: Period,
  filter: PostbackFilter,
): Promise<{ postbacks: readonly PostbacksOfLink[]; reasons: readonly PartnerReason[] }> {
  if (period.fromMs >= period.beforeMs) return { postbacks: [], reasons: [] };
  const { clickhouse } = ctx;
  const [postbacks, reasons] = await Promise.all([
    withinReportLimits(ctx, (settings) =>
      postbacksByLink(clickhouse, companyId, period, filter, { rows: ROWS_MAX, settings }),
    ),
    withinReportLimits(ctx, (settings) =>
      partnerReasons(clickhouse, companyId, period, filter, { rows: ROWS_MAX, settings }),
    ),
  ]);
  return { postbacks, reasons };
}

interface ClicksByLink {
  byLink: ReadonlyMap<string, number>;
  /** Clicks of ad sets that do not exist any more. */
  unknown: number;
  /** Clicks of the ad sets beyond the ones that a report reads. */
  beyond: number;
}

async function clicksByLink(
  ctx: Context,
  { companyId }: Owner,
  period: Period,
  { campaignId, trackingLinkId }: PostbackFilter,
): Promise<ClicksByLink> {
  const { db } = ctx;
  const adsets =
    trackingLinkId === undefined
      ? undefined
      : await adsetsWithLink(db, companyId, trackingLinkId, period.fromMs);
  if (adsets?.length === 0) return { byLink: new Map(), unknown: 0, beyond: 0 };
  const query = {
    period,
    filters: {
      ...(campaignId !== undefined && { campaign: [campaignId] }),
      ...(adsets && { adset: adsets }),
    },
  };
  const rows = await countForReport(ctx, companyId, { ...query, by: ['adset'], limit: ROWS_MAX });
  const [all] = rows.length < ROWS_MAX ? [] : await countForReport(ctx, companyId, { ...query, by: [] });
  const adsetIds = rows.map(({ values }) => values[0]!);
  const history = await linkHistory(db, [companyId], adsetIds, period.fromMs);
  const counted = await splitByLink(ctx, companyId, { rows, history, period, campaignId });
  const byLink = new Map<string, number>();
  let unknown = 0;
  for (const { linkId, clicks } of counted) {
    if (clicks === 0 || (linkId !== undefined && trackingLinkId !== undefined && linkId !== trackingLinkId))
      continue;
    if (linkId === undefined) unknown += clicks;
    else addToSum(byLink, linkId, clicks);
  }
  const read = rows.reduce((sum, row) => sum + row.clicks, 0);
  return { byLink, unknown, beyond: Math.max(0, (all?.clicks ?? 0) - read) };
}

/** Clicks of ad sets by tracking link: the ad sets whose link changed in the period are counted event by event. */
async function splitByLink(
  ctx: Context,
  companyId: string,
  {
    rows,
    history,
    period,
    campaignId,
  }: { rows: readonly CountsRow[]; history: LinkHistory; period: Period; campaignId: string | undefined },
): Promise<{ linkId: string | undefined; clicks: number }[]> {
  const changes = history.changes.filter(({ atMs }) => atMs < period.beforeMs);
  const changed = new Set(changes.map(({ adsetId }) => adsetId));
  const parts = await withinReportLimits(ctx, (settings) =>
    clicksBetween(ctx.clickhouse, companyId, period, { campaignId, changes }, settings),
  );
  return [
    ...rows
      .filter(({ values }) => !changed.has(values[0]!))
      .map(({ values, clicks }) => ({ linkId: history.linkAt(values[0]!, period.fromMs), clicks })),
    ...parts.map(({ adsetId, firstAtMs, clicks }) => ({
      linkId: history.linkAt(adsetId, firstAtMs),
      clicks,
    })),
  ];
}

const weightOf = ({ clicks, postbacks }: Tally) => clicks + postbacks;
const beyondOf = ({ beyond }: ClicksByLink): Tally[] =>
  beyond > 0 ? [{ ...newTally(), clicks: beyond }] : [];

/** Clicks and postbacks by partner and tracking link, and by partner alone where the link is not known. */
function talliesOf({
  clicks,
  postbacks,
  reasons,
  partnerOfLink,
}: {
  clicks: ClicksByLink;
  postbacks: readonly PostbacksOfLink[];
  reasons: readonly PartnerReason[];
  partnerOfLink: (linkId: string) => Mmp | undefined;
}): {
  attributed: { mmp: Mmp; linkId: string; tally: Tally }[];
  unattributed: { mmp: Mmp | null; tally: Tally }[];
} {
  const attributed = new Map<string, { mmp: Mmp; linkId: string; tally: Tally }>();
  const unattributed = new Map<Mmp | null, Tally>();
  const tallyOf = (mmp: Mmp | null, linkId: string | null): Tally => {
    if (linkId === null || mmp === null || partnerOfLink(linkId) === undefined) {
      const tally = unattributed.get(mmp) ?? newTally();
      unattributed.set(mmp, tally);
      return tally;
    }
    const key = `${mmp} ${linkId}`;
    const own = attributed.get(key) ?? { mmp, linkId, tally: newTally() };
    attributed.set(key, own);
    return own.tally;
  };
  for (const [linkId, count] of clicks.byLink) tallyOf(partnerOfLink(linkId) ?? null, linkId).clicks += count;
  if (clicks.unknown > 0) tallyOf(null, null).clicks += clicks.unknown;
  for (const row of postbacks) addPostbacks(tallyOf(row.mmp, row.trackingLinkId), row);
  for (const row of reasons) addPartnerReason(tallyOf(row.mmp, row.trackingLinkId), row);
  return {
    attributed: [...attributed.values()],
    unattributed: [...unattributed].map(([mmp, tally]) => ({ mmp, tally })),
  };
}

type Counted =
  | 'clicks'
  | 'postbacks'
  | 'installs'
  | 'duplicates'
  | 'late'
  | 'events'
  | 'retargeting'
  | 'rejected'
  | 'not_attributed'
  | 'installs_after_view'
  | 'revoked';

/** Counts that are still added to. */
type Tally = Record<Counted, number> & {
  installsAfterClick: number;
  /** Rejected postbacks by reason. */
  reasons: Map<RejectionReason, number>;
  /** The part of the rejections by the partner for which it named a reason, by that reason. */
  partnerReasons: Map<string, number>;
  /** Unix ms; 0 for none. */
  lastAtMs: number;
};

/** Zero counts. */
function newTally(): Tally {
  return {
    clicks: 0,
    postbacks: 0,
    installs: 0,
    duplicates: 0,
    late: 0,
    events: 0,
    retargeting: 0,
    rejected: 0,
    not_attributed: 0,
    installs_after_view: 0,
    revoked: 0,
    installsAfterClick: 0,
    reasons: new Map(),
    partnerReasons: new Map(),
    lastAtMs: 0,
  };
}

/** Adds the postbacks of a partner and tracking link to a tally. */
function addPostbacks(tally: Tally, { lastAtMs, outcomes }: PostbacksOfLink): void {
  tally.lastAtMs = Math.max(tally.lastAtMs, lastAtMs);
  for (const one of outcomes) addOutcome(tally, one);
}

const unverifiedReasons: ReadonlyMap<string, RejectionReason> = new Map([
  ['credential', 'wrong_credential'],
  ['network', 'wrong_network'],
]);

function addOutcome(
  tally: Tally,
  [outcome, reason, touchpoint, hasClickId, count]: PostbacksOfLink['outcomes'][number],
): void {
  tally.postbacks += count;
  switch (outcome) {
    case 'stored':
      tally.installs += count;
      if (touchpoint === 'click') tally.installsAfterClick += count;
      if (touchpoint === 'impression') tally.installs_after_view += count;
      return;
    case 'duplicate':
      tally.duplicates += count;
      return;
    case 'expired':
      tally.late += count;
      return;
    case 'event':
      tally.events += count;
      return;
    case 'retargeting':
      tally.retargeting += count;
      return;
    case 'unattributed':
      tally.not_attributed += count;
      return;
    case 'taken_back':
      tally.revoked += count;
      return reject(tally, 'partner', count);
    case 'rejected':
      return reject(tally, 'partner', count);
    case 'unknown_click':
      return reject(tally, hasClickId ? 'unknown_click' : 'no_click_id', count);
    case 'no_touchpoint':
      return reject(tally, 'no_touchpoint', count);
    default:
      return reject(tally, unverifiedReasons.get(reason) ?? 'unverified', count);
  }
}

function reject(tally: Tally, reason: RejectionReason, count: number): void {
  tally.rejected += count;
  addToSum(tally.reasons, reason, count);
}

/** Adds a partner's own reason to a tally. */
function addPartnerReason(tally: Tally, { partnerReason, count }: PartnerReason): void {
  addToSum(tally.partnerReasons, partnerReason, count);
}

/**
 * The counts as a response has them; without a rate where not all installs of the clicks are counted (`isWhole` is false).
 * Pure.
 */
function presentTally(tally: Tally, isWhole: boolean): MeasurementCounts {
  const { installsAfterClick, reasons, partnerReasons: byPartner, lastAtMs, ...counts } = tally;
  return {
    ...counts,
    rejections: rejectionsOf(reasons, byPartner),
    install_rate: isWhole ? rateOf(installsAfterClick, counts.clicks, 100) : null,
    last_postback_at: lastAtMs > 0 ? new Date(lastAtMs).toISOString() : null,
  };
}

/** Most rejections that are listed; the partner's rarest reasons are listed together. */
const PARTNER_REASONS_MAX = 5;

function rejectionsOf(reasons: Tally['reasons'], byPartner: Tally['partnerReasons']): Rejection[] {
  const rejections: Rejection[] = [...reasons].flatMap(([reason, count]) =>
    reason === 'partner' ? [] : [{ reason, partner_reason: '', count }],
  );
  const named = [...byPartner].toSorted((a, b) => b[1] - a[1]).slice(0, PARTNER_REASONS_MAX);
  let unnamed = reasons.get('partner') ?? 0;
  for (const [partner_reason, count] of named) {
    // A postback that arrives between the two queries is in one of them only.
    const within = Math.min(count, unnamed);
    unnamed -= within;
    if (within > 0) rejections.push({ reason: 'partner', partner_reason, count: within });
  }
  if (unnamed > 0) rejections.push({ reason: 'partner', partner_reason: '', count: unnamed });
  return rejections.toSorted((a, b) => b.count - a.count);
}

/** Sum of tallies. Pure. */
function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum = newTally();
  for (const { reasons, partnerReasons: byPartner, lastAtMs, ...counts } of tallies) {
    for (const [name, count] of Object.entries(counts)) sum[name as Counted | 'installsAfterClick'] += count;
    for (const [reason, count] of reasons) addToSum(sum.reasons, reason, count);
    for (const [reason, count] of byPartner) addToSum(sum.partnerReasons, reason, count);
    sum.lastAtMs = Math.max(sum.lastAtMs, lastAtMs);
  }
  return sum;
}

import { commonLabel } from '@bidwell/contract/apps/event-label';
import { toDollars } from '@bidwell/contract/lib/money';
import { IN_APP_NAMES_MAX, type InAppEvents } from '@bidwell/contract/measurement/schema';
import type { Context } from '../../context.ts';
import { adsetsWithLink, linkHistory } from '../../delivery/public.ts';
import { eventRulesOf } from '../../platform/postgres/stores/event-rules-store.ts';
import { type Period, ROWS_MAX, withinReportLimits } from '../reporting/public.ts';
import { shownEvents } from './app-event-store.ts';
import { type InAppOfPart, adsetsWithInApp, inAppBetween } from './in-app-store.ts';
import type { PostbackFilter } from './store.ts';

/** Events in the app count until this long after their bid, by which they belong to a tracking link. */
const EVENTS_OF_BID_MS = 180 * 86_400_000;
/** Name of events whose names are not listed. */
const OTHER = '(other)';

/** Events in the app by name and tracking link, with how their app shows them. */
export interface InAppOfLink extends InAppOfPart {
  /** Null where the ad set does not exist any more. */
  linkId: string | null;
  label: string | null;
  offered: boolean;
}

/** Reads the events in the app of a period: at most {@link ROWS_MAX} groups by ad set and name, the most frequent. */
export async function readInApp(
  ctx: Context,
  companyId: string,
  period: Period,
  { campaignId, trackingLinkId }: PostbackFilter,
): Promise<readonly InAppOfLink[]> {
  const { db, clickhouse } = ctx;
  if (period.fromMs >= period.beforeMs) return [];
  const sinceMs = period.fromMs - EVENTS_OF_BID_MS;
  const requested =
    trackingLinkId === undefined ? undefined : await adsetsWithLink(db, companyId, trackingLinkId, sinceMs);
  if (requested?.length === 0) return [];
  const adsetIds = await withinReportLimits(ctx, (settings) =>
    adsetsWithInApp(
      clickhouse,
      companyId,
      period,
      { campaignId, adsetIds: requested },
      { rows: ROWS_MAX, settings },
    ),
  );
  if (adsetIds.length === 0) return [];
  const rules = await eventRulesOf(db, companyId);
  const history = await linkHistory(db, [companyId], adsetIds, sinceMs);
  const filter = { campaignId, adsetIds: requested, changes: history.changes, rules };
  const parts = await withinReportLimits(ctx, (settings) =>
    inAppBetween(clickhouse, companyId, period, filter, { rows: ROWS_MAX, settings }),
  );
  const shownAs = await shownEvents(db, companyId, parts);
  return parts
    .map((part) => ({
      ...part,
      ...shownAs(part),
      linkId: history.linkAt(part.adsetId, part.bidAtMs) ?? null,
    }))
    .filter(({ linkId }) => trackingLinkId === undefined || linkId === trackingLinkId);
}

/** Sums of the events of one name, and the labels that apps have for it. */
interface NameSum extends InAppOfPart {
  labels: (string | null)[];
  offered: boolean;
}

/** Events in the app by name, the most frequent first; those beyond the names that are listed together. Pure. */
export function presentInApp(parts: readonly InAppOfLink[]): InAppEvents[] {
  const sums = new Map<string, NameSum>();
  for (const part of parts) {
    const { label, offered } = part;
    const sum = sums.get(part.name);
    sums.set(part.name, {
      ...addParts(sum, part),
      labels: [...(sum?.labels ?? []), label],
      offered: (sum?.offered ?? false) || offered,
    });
  }
  const sorted = [...sums.values()].toSorted((a, b) => b.count - a.count);
  const listed = sorted.filter(({ name }) => name !== OTHER).slice(0, IN_APP_NAMES_MAX);
  const names = new Set(listed.map(({ name }) => name));
  const rest = sorted
    .filter(({ name }) => !names.has(name))
    .reduce<InAppOfPart | undefined>(addParts, undefined);
  return [
    ...listed.map((sum) => ({
      ...presentPart(sum),
      label: commonLabel(sum.labels),
      offered: sum.offered,
    })),
    ...(rest ? [{ ...presentPart(rest), name: OTHER, people: null }] : []),
  ];
}

function addParts(sum: InAppOfPart | undefined, part: InAppOfPart): InAppOfPart {
  if (!sum) return part;
  return {
    ...sum,
    count: sum.count + part.count,
    // A bid is of one ad set.
    people: sum.people + part.people,
    revenueMicros: sum.revenueMicros + part.revenueMicros,
    priced: sum.priced + part.priced,
    unknown: sum.unknown + part.unknown,
  };
}

function presentPart({ name, count, people, revenueMicros, priced, unknown }: InAppOfPart): InAppEvents {
  // What is known, as in reports; how many amounts are not is beside it.
  const revenue = priced > unknown ? toDollars(revenueMicros) : null;
  return { name, label: null, offered: false, count, people, revenue, unknown_amounts: unknown };
}

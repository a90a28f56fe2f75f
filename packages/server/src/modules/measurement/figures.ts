import type { MeasurementCounts, Rejection, RejectionReason } from '@bidwell/contract/measurement/schema';
import { rateOf } from '@bidwell/contract/lib/rate';
import type { PartnerReason, PostbacksOfLink } from './store.ts';
import { addToSum } from '../../platform/group-by.ts';

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
export type Tally = Record<Counted, number> & {
  installsAfterClick: number;
  /** Rejected postbacks by reason. */
  reasons: Map<RejectionReason, number>;
  /** The part of the rejections by the partner for which it named a reason, by that reason. */
  partnerReasons: Map<string, number>;
  /** Unix ms; 0 for none. */
  lastAtMs: number;
};

/** Zero counts. */
export function newTally(): Tally {
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
export function addPostbacks(tally: Tally, { lastAtMs, outcomes }: PostbacksOfLink): void {
  tally.lastAtMs = Math.max(tally.lastAtMs, lastAtMs);
  for (const one of outcomes) addOutcome(tally, one);
}

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

const unverifiedReasons: ReadonlyMap<string, RejectionReason> = new Map([
  ['credential', 'wrong_credential'],
  ['network', 'wrong_network'],
]);

function reject(tally: Tally, reason: RejectionReason, count: number): void {
  tally.rejected += count;
  addToSum(tally.reasons, reason, count);
}

/** Adds a partner's own reason to a tally. */
export function addPartnerReason(tally: Tally, { partnerReason, count }: PartnerReason): void {
  addToSum(tally.partnerReasons, partnerReason, count);
}

/** Most rejections that are listed; the partner's rarest reasons are listed together. */
const PARTNER_REASONS_MAX = 5;

/**
 * The counts as a response has them; without a rate where not all installs of the clicks are counted (`isWhole` is false).
 * Pure.
 */
export function presentTally(tally: Tally, isWhole: boolean): MeasurementCounts {
  const { installsAfterClick, reasons, partnerReasons, lastAtMs, ...counts } = tally;
  return {
    ...counts,
    rejections: rejectionsOf(reasons, partnerReasons),
    install_rate: isWhole ? rateOf(installsAfterClick, counts.clicks, 100) : null,
    last_postback_at: lastAtMs > 0 ? new Date(lastAtMs).toISOString() : null,
  };
}

function rejectionsOf(reasons: Tally['reasons'], partnerReasons: Tally['partnerReasons']): Rejection[] {
  const rejections: Rejection[] = [...reasons].flatMap(([reason, count]) =>
    reason === 'partner' ? [] : [{ reason, partner_reason: '', count }],
  );
  const named = [...partnerReasons].toSorted((a, b) => b[1] - a[1]).slice(0, PARTNER_REASONS_MAX);
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
export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum = newTally();
  for (const { reasons, partnerReasons, lastAtMs, ...counts } of tallies) {
    for (const [name, count] of Object.entries(counts)) sum[name as Counted | 'installsAfterClick'] += count;
    for (const [reason, count] of reasons) addToSum(sum.reasons, reason, count);
    for (const [reason, count] of partnerReasons) addToSum(sum.partnerReasons, reason, count);
    sum.lastAtMs = Math.max(sum.lastAtMs, lastAtMs);
  }
  return sum;
}

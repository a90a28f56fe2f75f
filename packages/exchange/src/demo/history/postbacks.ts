import type { DeliveryEvent } from '@bidwell/server/delivery/model/event';
import type { PostbackRow } from '@bidwell/server/delivery/postbacks/postback-store';
import { deviceParameter } from '../../measurement.ts';
import { knownIdOf } from '../../traffic/people.ts';
import type { HistoryAdset } from './adsets.ts';
import { bidIdAt } from './generate.ts';
import type { FindOwner, Owners } from './owners.ts';
import { hashOf, seededRandom } from '../../random.ts';

/** Shares of installs that are reported again, and of clicks whose install the partner rejects. */
const REPEATED_SHARE = 0.04;
const REJECTED_SHARE = 0.004;
const REPEATED_AFTER_MS = 90_000;
/** For so long before the end of the history, people who are away from an app did nothing in it: longer than the rule of the audience of such people. */
const AWAY_MS = 8 * 86_400_000;
/** What partners report as an install, and as the return of a person who has the app; and as an event in it. */
const INSTALLED: ReadonlySet<string> = new Set(['install', 'reattribution', 'reinstall']);
const IN_APP: ReadonlySet<string> = new Set(['app_event', 'reengaged_event']);

/**
 * The postbacks of some events, as the measurement partners would have sent them: each install and event in the app, some of them twice, and
 * rejections of others; none is later than `nowMs`. They have the advertising ids of the people who allow it. Pure.
 */
export function postbacksOf(
  events: readonly DeliveryEvent[],
  adsets: readonly HistoryAdset[],
  nowMs: number,
  ownerOf: FindOwner,
): PostbackRow[] {
  const awaySinceMs = nowMs - AWAY_MS;
  /** Most of who used the app earlier is away from it now. */
  const whoDid = (clickId: string, atMs: number): Owners =>
    atMs < awaySinceMs && hashOf(clickId) % 5 > 0 ? 'away' : 'active';
  const byId = new Map(adsets.map((adset) => [adset.adsetId, adset]));
  const random = seededRandom(events.length);
  const rows: PostbackRow[] = [];
  const clicked = new Set(events.flatMap(({ kind, ref }) => (kind === 'click' ? [ref.bidId] : [])));
  const installed = new Set(events.flatMap(({ kind, ref }) => (INSTALLED.has(kind) ? [ref.bidId] : [])));
  for (const event of events) {
    const { kind, ref, atMs, app } = event;
    const adset = byId.get(ref.adsetId);
    if (!adset) continue;
    const clickId = app?.clickBidId ?? ref.bidId;
    const owner = ownerOf({ name: adset.appName, os: adset.os }, ref.country, clickId, whoDid(clickId, atMs));
    const advertisingId = (owner && knownIdOf(owner)) ?? '';
    const parameters = JSON.stringify(deviceParameter(adset.mmp, { os: adset.os, advertisingId }));
    const add = (outcome: PostbackRow['outcome'], afterMs = 0, partnerReason = ''): void => {
      rows.push({
        id: bidIdAt(atMs + afterMs, random),
        atMs: atMs + afterMs,
        companyId: ref.companyId,
        mmp: adset.mmp,
        outcome,
        reason: '',
        clickId,
        parameters,
        campaignId: ref.campaignId,
        trackingLinkId: adset.trackingLinkId,
        touchpoint: outcome !== 'stored' || app ? '' : clicked.has(ref.bidId) ? 'click' : 'impression',
        partnerReason,
        test: false,
        namedAppId: '',
        event: app ? { id: ref.bidId, kind: 'event', appId: ref.appId, app } : returnOf(event),
      });
    };
    if (INSTALLED.has(kind) || IN_APP.has(kind)) {
      add('stored');
      if (random() < REPEATED_SHARE) add('duplicate', REPEATED_AFTER_MS);
    }
    if (kind === 'click' && !installed.has(ref.bidId) && random() < REJECTED_SHARE)
      add('rejected', REPEATED_AFTER_MS, random() < 0.7 ? 'bots' : 'install_hijacking');
  }
  return rows.filter(({ atMs }) => atMs <= nowMs);
}

/** The return that a postback is about; null for an install and what else is no event in the app. */
function returnOf({ kind, ref, atMs }: DeliveryEvent): PostbackRow['event'] {
  if (kind !== 'reattribution' && kind !== 'reinstall') return null;
  const name = kind === 'reattribution' ? '(re-engagement)' : '(reinstall)';
  const app = { name, amount: '', currency: '', eventAtMs: atMs, isAdRevenue: false, clickBidId: ref.bidId };
  return { id: ref.bidId, kind: 'retargeting', appId: ref.appId, app };
}

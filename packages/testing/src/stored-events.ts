import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { NIL, v7 as uuidv7 } from 'uuid';
import type { EventKind, EventMark } from '@bidwell/server/delivery/model/event';
import { clickhouseTime } from '@bidwell/server/platform/clickhouse/time';
import type { Context } from '@bidwell/server/context';
import type { Actor } from '@bidwell/server/platform/actor';
import { createApp } from '@bidwell/server/modules/catalog/apps/service';
import { createCampaign } from '@bidwell/server/modules/campaigns/service';
import { NOON, NOON_MS, bidIdAt } from './yesterday.ts';

/** An event of a test; absent fields are stored empty. */
export interface SampleEvent {
  /** ISO 8601. */
  at: string;
  /** `app_event_rejected` takes an event in the app back. */
  kind: EventKind | 'app_event_rejected';
  appId?: string;
  campaignId?: string;
  adsetId?: string;
  creativeId?: string;
  bundle?: string;
  country?: string;
  os?: string;
  exchange?: string;
  creativeType?: string;
  durationMs?: number;
  spendMicros?: number;
  marginMicros?: number;
  bidCpmMicros?: number;
  valueCpmMicros?: number;
  chargedCpmMicros?: number;
  lossReason?: number;
  minToWinCpmMicros?: number;
  /** Marks the event as invalid traffic. */
  mark?: EventMark;
  test?: boolean;
  /** A new id by default. */
  bidId?: string;
  /** A decimal number of 64 bits; none by default. */
  personKey?: string;
  /** For an in-app event. */
  app?: SampleAppEvent;
}

/** What else an event in the app has; without an amount, or with one whose revenue in dollars is not known. */
export interface SampleAppEvent {
  name?: string;
  /** Absent where it is not known. */
  revenueMicros?: number;
  /** By default the revenue in dollars, or none. */
  amount?: string;
  currency?: string;
  /** The bid of its click. */
  clickBidId?: string;
  /** ISO 8601; when it was stored by default. */
  eventAt?: string;
  isAdRevenue?: boolean;
}

/**
 * Inserts events directly into the event database, as if they had arrived at their times. `storedAt` is the time at which they seem to be
 * inserted, the present by default.
 */
export async function storeEvents(
  ctx: Pick<Context, 'clickhouse'>,
  companyId: string,
  events: readonly SampleEvent[],
  storedAt?: Date,
): Promise<void> {
  const batch = uuidv7();
  const rows = events.map((event, seq) => ({
    time: clickhouseTime(new Date(event.at).getTime()),
    kind: event.kind,
    bid_id: event.bidId ?? uuidv7(),
    company_id: companyId,
    app_id: event.appId ?? NIL,
    campaign_id: event.campaignId ?? NIL,
    adset_id: event.adsetId ?? NIL,
    creative_id: event.creativeId ?? NIL,
    creative_group_id: NIL,
    creative_type: event.creativeType ?? 'Banner',
    creative_width: 320,
    creative_height: 50,
    creative_duration_ms: event.durationMs ?? 0,
    exchange: event.exchange ?? 'sample',
    bundle: event.bundle ?? 'com.example',
    os: event.os ?? 'android',
    country: event.country ?? 'US',
    language: 'en',
    spend_micros: event.spendMicros ?? 0,
    margin_micros: event.marginMicros ?? 0,
    bid_cpm_micros: event.bidCpmMicros ?? 0,
    value_cpm_micros: event.valueCpmMicros ?? 0,
    charged_cpm_micros: event.chargedCpmMicros ?? 0,
    loss_reason: event.lossReason ?? 0,
    min_to_win_cpm_micros: event.minToWinCpmMicros ?? 0,
    test: event.test ? 1 : 0,
    mark: event.mark ?? '',
    person_key: event.personKey ?? '0',
    ...appColumnsOf(event),
    batch,
    seq,
    has_stored_at: 1,
    ...(storedAt && { stored_at: clickhouseTime(storedAt.getTime()) }),
  }));
  await ctx.clickhouse.insert('events', rows);
}

/** The columns of an event in the app; rows of other kinds have their defaults. */
function appColumnsOf({ app, at }: SampleEvent) {
  const revenue = app?.revenueMicros;
  return {
    event_name: app ? (app.name ?? 'purchase') : '',
    revenue_micros: revenue ?? 0,
    revenue_known: revenue === undefined ? 0 : 1,
    revenue_amount: app?.amount ?? (revenue === undefined ? '' : String(revenue / 1_000_000)),
    revenue_currency: app?.currency ?? '',
    event_at: clickhouseTime(app ? new Date(app.eventAt ?? at).getTime() : 0),
    click_bid_id: app ? (app.clickBidId ?? uuidv7()) : NIL,
    is_ad_revenue: app?.isAdRevenue ? 1 : 0,
  };
}

let apps = 0;

/** Creates a campaign with a new app, as the company's user. */
export async function makeCampaign(
  ctx: Context,
  actor: Actor,
  name: string,
  kind: CampaignKind = 'acquisition',
): Promise<string> {
  apps += 1;
  const bundle = `com.example.app${apps}`;
  const app = await createApp(ctx, actor, {
    name: 'Sample',
    description: '',
    os: 'android',
    store_link: `https://play.google.com/store/apps/details?id=${bundle}`,
    bundle_id: bundle,
    size_in_kb: null,
    mobile_measurement_partner: 'adjust',
    iab_category: 'IAB9',
    advertiser_domain: 'example.com',
    rating: null,
    icon_link: null,
  });
  const dates = {
    start_date: null,
    start_time: null,
    end_time: null,
    start_when_approved: false,
    end_date: null,
    kind,
    frequency_caps: [],
    adset_uuids: [],
  };
  const campaign = await createCampaign(ctx, actor, {
    name,
    description: '',
    app_uuid: app.uuid,
    ...dates,
  });
  return campaign.uuid;
}

/**
 * Stores 120 bids of a new campaign, made every two minutes in the four hours up to noon of yesterday: a third of them lost,
 * a third charged. Returns their ids, the newest first.
 */
export async function storeBidsOfHours(ctx: Context, actor: Actor): Promise<readonly string[]> {
  const campaignId = await makeCampaign(ctx, actor, 'Many');
  const ids = Array.from({ length: 120 }, (_, n) => bidIdAt(NOON_MS - n * 120_000));
  const events = ids.flatMap((bidId, n): SampleEvent[] => [
    { at: NOON, kind: n % 3 === 0 ? 'loss' : 'win', campaignId, bidId },
    ...(n % 3 === 1 ? [{ at: NOON, kind: 'impression' as const, campaignId, bidId, spendMicros: n }] : []),
  ]);
  await storeEvents(ctx, actor.companyId, events);
  return ids;
}

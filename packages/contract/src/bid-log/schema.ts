import { z } from 'zod';
import { EVENT_FORMATS } from '../reports/schema.ts';
import { campaignMessages } from '../campaigns/messages.ts';
import { CalendarDate, Timestamp, Uuid } from '../lib/wire.ts';
import { messages } from '../text/messages.ts';

/**
 * The outcome of a bid: `won` with any win, billing, impression or later event, `lost` with a loss notice alone, and
 * `no_notice` where the exchange has sent none.
 */
export const BID_OUTCOMES = ['won', 'lost', 'no_notice'] as const;
export type BidOutcome = (typeof BID_OUTCOMES)[number];

const filters = {
  start_date: CalendarDate,
  end_date: CalendarDate,
  outcome: z.enum(BID_OUTCOMES).optional(),
  campaign_uuid: Uuid.optional(),
  adset_uuid: Uuid.optional(),
  creative_uuid: Uuid.optional(),
  /** Slug of an exchange. */
  exchange: z.string().max(100).optional(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().max(2).toUpperCase().optional(),
  bundle: z.string().max(200).toLowerCase().optional(),
  /** Where the previous response ended; its format may change. */
  cursor: z
    .string()
    .regex(/^[0-9a-f]{32}$/, messages.notACursor)
    .optional(),
};
const ordered = (query: { start_date: string; end_date: string }) => query.start_date <= query.end_date;
const order = { path: ['end_date'], message: campaignMessages.endBeforeStart };

/** Most bids on a page. */
export const BID_PAGE_MAX = 200;

/** GET /analytics/bids */
export const BidsQuery = z
  .object({ ...filters, limit: z.coerce.number<number>().int().min(1).max(BID_PAGE_MAX).default(50) })
  .refine(ordered, order);
export type BidsQuery = z.infer<typeof BidsQuery>;

/** GET /analytics/bids/export */
export const BidsExportQuery = z
  .object({ ...filters, format: z.enum(EVENT_FORMATS).default('csv') })
  .refine(ordered, order);
export type BidsExportQuery = z.infer<typeof BidsExportQuery>;

/** The filters of either. */
export type BidFilters = Omit<BidsQuery, 'limit'>;

/** Response header of an export that ends before its range does: the cursor of the next one. */
export const NEXT_CURSOR = 'x-next-cursor';

/** In-app events of one name after a bid. */
const LoggedAppEvent = z.object({
  name: z.string(),
  /** Without invalid traffic and events that the partner rejected later. */
  count: z.number(),
  /** In dollars, of the events whose revenue is known; null if none is. */
  revenue: z.number().nullable(),
});
export type LoggedAppEvent = z.infer<typeof LoggedAppEvent>;

/** A bid with its events of the range; amounts are in dollars as the advertiser is charged. */
export const LoggedBid = z.object({
  bid_id: z.string(),
  bid_at: Timestamp,
  /** Its first event in the range. */
  event_at: Timestamp,
  campaign_uuid: z.string(),
  /** Present names; '' where the name was never known. */
  campaign: z.string(),
  adset_uuid: z.string(),
  adset: z.string(),
  creative_uuid: z.string(),
  creative: z.string(),
  creative_type: z.string(),
  /** Pixels; 0 where the format has no size. */
  width: z.number(),
  height: z.number(),
  exchange: z.string(),
  exchange_name: z.string(),
  /** The publisher's app. */
  bundle: z.string(),
  country: z.string(),
  os: z.string(),
  outcome: z.enum(BID_OUTCOMES),
  /** Per thousand impressions; null where an earlier release stored none. */
  bid_cpm: z.number().nullable(),
  /** The charge in the range for this bid's one impression. */
  charge: z.number(),
  /** Reason in a loss notice (OpenRTB 2.6, loss reason codes); null without one. */
  loss_code: z.number().nullable(),
  loss_reason: z.string().nullable(),
  /**
   * The lowest price per thousand that would have won: above the bid for a lost bid, at most the bid for a won one; null where the exchange
   * did not report it.
   */
  min_to_win_cpm: z.number().nullable(),
  impression_at: Timestamp.nullable(),
  /** Without invalid traffic. */
  clicks: z.number(),
  /** Without invalid traffic; an install that the partner rejects later is subtracted then. */
  installs: z.number(),
  /** Re-attributions and reinstalls of a re-engagement campaign, without invalid traffic; those that the partner rejects later are subtracted then. */
  returns: z.number(),
  /** At most 20 names, of the latest events. */
  app_events: z.array(LoggedAppEvent),
  /** The mark of invalid traffic on a click or install; '' for none. */
  invalid: z.string(),
  /** A test of the exchange, which costs nothing. */
  test: z.boolean(),
  /** The number of bids that it stands for: more than 1 only without a notice. */
  weight: z.number(),
});
export type LoggedBid = z.infer<typeof LoggedBid>;

/** A page of the log, newest bid first. `next` is the cursor of the next page; null on the last. */
export const BidPage = z.object({ bids: z.array(LoggedBid), next: z.string().nullable() });
export type BidPage = z.infer<typeof BidPage>;

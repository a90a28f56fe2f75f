import { z } from 'zod';

const prices = {
  /** Impressions that were charged. */
  impressions: z.number(),
  /** The value of the impressions to the ad sets in dollars: the bids without shading. */
  value: z.number(),
  /** Dollars that were bid for them. */
  bid: z.number(),
  /** Dollars that were paid for them: the spend. */
  paid: z.number(),
  /** Dollars that shading saved: value without bid. */
  saved_by_shading: z.number(),
  /** Dollars that the exchanges' auctions saved: bid without paid. */
  saved_by_auction: z.number(),
  /** Dollars per thousand impressions; null without impressions. */
  bid_cpm: z.number().nullable(),
  paid_cpm: z.number().nullable(),
};

/** Most rows of a report; the others are summed. */
export const PRICE_ROWS_MAX = 1000;

const PriceRow = z.object({
  exchange: z.string(),
  exchange_name: z.string(),
  /** ISO 3166-1 alpha-2; '' where it is not known. */
  country: z.string(),
  ...prices,
});
export type PriceRow = z.infer<typeof PriceRow>;
const Prices = z.object(prices);
export type Prices = z.infer<typeof Prices>;

/** GET /campaign/{uuid}/prices: bids and prices paid by exchange and country, the highest spend first. */
export const CampaignPrices = z.object({
  rows: z.array(PriceRow),
  total: Prices,
  /** Sum of the rows beyond the first {@link PRICE_ROWS_MAX}; null if there are none. */
  other: Prices.nullable(),
});
export type CampaignPrices = z.infer<typeof CampaignPrices>;

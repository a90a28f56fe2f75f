import { z } from 'zod';
import { REVENUE_SOURCES } from '../apps/event-settings.ts';
import { AdsetInput } from '../adsets/schema.ts';
import { CampaignKind } from '../campaigns/kind.ts';
import { Uuid } from '../lib/wire.ts';

/** POST /adset/forecast: an ad set as it would be saved. */
export const ForecastInput = AdsetInput.pick({
  target_id: true,
  creative_group_ids: true,
  black_list_bundles: true,
  white_list_bundles: true,
  bundle_bids: true,
  algo: true,
  bet_cpm: true,
  bet_cpi: true,
  goal_event: true,
  cpa: true,
  roas: true,
  goal_window: true,
  goals_by_country: true,
  hours: true,
  hours_zone: true,
  bid_multipliers: true,
  countries: true,
  frequency_caps: true,
  people_without_id: true,
  audience_include: true,
  audience_exclude: true,
  audience_without_id: true,
  exclude_installed: true,
  daily_budget_const: true,
  all_budget_const: true,
}).extend({
  /** The ad set that is being edited; absent for a new one. */
  uuid: Uuid.nullish().transform((uuid) => uuid ?? null),
  /** The kind of the campaign of a new ad set, acquisition by default; a saved one has the kind of its campaign. */
  campaign_kind: CampaignKind.nullish().transform((kind) => kind ?? null),
});
export type ForecastInput = z.infer<typeof ForecastInput>;

/** An estimate, and the range in which the truth lies in 80 of 100 cases. */
export const ForecastRange = z.object({ about: z.number(), low: z.number(), high: z.number() });
export type ForecastRange = z.infer<typeof ForecastRange>;

const SPEND_LIMITS = ['daily_budget', 'total_budget', 'balance'] as const;

/** The limit of the spend of a day; `country_budget` where only the daily budgets of countries limit it. */
export const FORECAST_LIMITS = [...SPEND_LIMITS, 'country_budget'] as const;

/** Why no spend is expected on a day: its limit is used up, or the step at which all requests end. */
export const FORECAST_NOTHING = [
  ...SPEND_LIMITS,
  'unmatched',
  'audiences',
  'audience_empty',
  'audience_contradiction',
  'no_ids',
  'floor',
  'own_adsets',
  'outbid',
] as const;

/** Settings that a forecast may be unable to count. */
export const NOT_FORECAST = ['frequency_caps', 'audiences'] as const;

const day = {
  impressions: ForecastRange,
  /** Dollars. */
  spend: ForecastRange,
  /** Null in a re-engagement campaign, which buys none. */
  installs: ForecastRange.nullable(),
};

/** A day of an ad set. */
export const DayForecast = z.object({
  ...day,
  /** Bid requests a day that match the target and have a placement for a creative. */
  matching: ForecastRange,
  /** Dollars per thousand impressions; null when no impression is expected. */
  cpm: ForecastRange.nullable(),
  /** Share of the matching requests that are won, 0 to 1. */
  win_share: z.number(),
  /** Share of the requests above the floor whose person has reached a frequency cap, 0 to 1; null where no cap is counted. */
  capped_share: z.number().nullable(),
  /** Share of the matching requests whose people the audiences allow, 0 to 1; null without audiences, and where they are not counted. */
  audience_share: z.number().nullable(),
  /** The limit that ends the day's spend; null if there is none. */
  limited_by: z.enum(FORECAST_LIMITS).nullable(),
  /** Why no impression is expected; null where one is. */
  nothing_because: z.enum(FORECAST_NOTHING).nullable(),
});
export type DayForecast = z.infer<typeof DayForecast>;

/** The forecast for another bid. */
export const ForecastPoint = z.object({
  /** Dollars. */
  bid: z.number(),
  win_share: z.number(),
  /** A day, within the budgets. */
  impressions: z.number(),
  spend: z.number(),
});
export type ForecastPoint = z.infer<typeof ForecastPoint>;

/** How well the company's last forecasts held, at most 30 of those that are compared with the results. */
export const ForecastRecord = z.object({
  compared: z.number(),
  /** Forecasts whose range, as it was calculated, had the impressions that came. */
  inside: z.number(),
  /** Median of the difference between the impressions that came and the estimate, in percent of the estimate. */
  median_error_percent: z.number(),
  /** The factor by which the range of the impressions is widened for it: 1 to 3, rounded. */
  widened_by: z.number(),
});
export type ForecastRecord = z.infer<typeof ForecastRecord>;

/** The value of an install to an ad set with Target CPA or Target ROAS, from which its forecast is made. */
export const ForecastValue = z.object({
  /** The average price that an install may cost, in dollars. */
  install_price: z.number(),
  /** For Target CPA the expected people with the goal event per install, for Target ROAS the expected revenue per install in dollars. */
  per_install: z.number(),
  /** `learned` from the data of the app's ad sets; `assumed` until the goal's event has happened. */
  source: z.enum(['learned', 'assumed']),
  /** People with the event, or with revenue, in the last 30 days, from which it was learned; 0 if it is assumed. */
  conversions: z.number(),
  /** The revenue sources of the app; empty for an event. */
  revenue_sources: z.array(z.enum(REVENUE_SOURCES)),
  /** About as many in 7 days as values are reliable from. */
  needed: z.number(),
  /** Standard error of the average value of an install by these people, in percent, which the ranges include; null without any. */
  expected_error_percent: z.number().nullable(),
});
export type ForecastValue = z.infer<typeof ForecastValue>;

export const Forecast = z.object({
  /** Why there is no forecast, in a sentence; null where there is one. */
  message: z.string().nullable(),
  day: DayForecast.nullable(),
  /** The curve over the bid, ascending: the CPM or, for Target CPI, the cost per install. */
  curve: z
    .object({
      price: z.enum(['bet_cpm', 'bet_cpi']),
      /** Index of the bid of the ad set. */
      present: z.number(),
      points: z.array(ForecastPoint),
    })
    .nullable(),
  /** The edited ad set's result of yesterday, and the result with the changes; null if it did not run, or without changes. */
  what_if: z
    .object({
      date: z.string(),
      actual: z.object({ impressions: z.number(), spend: z.number(), installs: z.number() }),
      changed: z.object(day),
    })
    .nullable(),
  /** Settings of the ad set, and caps of its campaign, that are not counted, since too little of the sample knows people, or their audiences. */
  not_counted: z.array(z.enum(NOT_FORECAST)),
  /** Sampled requests and bids of the last seven days from which the forecast is made. */
  sampled_requests: z.number(),
  bids: z.number(),
  /** Null for the other bid strategies. */
  value: ForecastValue.nullable(),
  /** Null while none of the company's forecasts is compared with the results. */
  record: ForecastRecord.nullable(),
});
export type Forecast = z.infer<typeof Forecast>;

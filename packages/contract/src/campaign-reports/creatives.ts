import { z } from 'zod';
import { CREATIVE_TYPES } from '../creatives/schema.ts';
import { DeliveryQuery } from '../insight/delivery-query.ts';
import { Rate } from '../lib/rate.ts';
import { Uuid } from '../lib/wire.ts';

/** The rate by which creatives are compared: clicks, or installs, per impression. */
export const COMPARED_METRICS = ['ipm', 'ctr'] as const;
export type ComparedMetric = (typeof COMPARED_METRICS)[number];

/** GET /campaign/{uuid}/creatives */
export const CreativesQuery = DeliveryQuery.safeExtend({ metric: z.enum(COMPARED_METRICS).default('ipm') });
export type CreativesQuery = z.infer<typeof CreativesQuery>;

/** Creatives of a format that are compared with each other, those with the most impressions. */
export const COMPARED_MAX = 50;
/** A creative counts as the best from this probability on. */
export const BEST_FROM = 0.95;
/** Days to a decision are not estimated beyond this. */
export const DAYS_LEFT_MAX = 90;

const ComparedCreative = z.object({
  uuid: Uuid,
  name: z.string(),
  impressions: z.number(),
  clicks: z.number(),
  installs: z.number(),
  /** Dollars. */
  spends: z.number(),
  /** Dollars per install; null without installs. */
  cpi: z.number().nullable(),
  /** Clicks per impression in percent, with the interval that has the true rate in 95 of 100 cases. */
  ctr_rate: Rate.nullable(),
  /** Installs per thousand impressions, with such an interval. */
  ipm_rate: Rate.nullable(),
  /** Probability that no other creative of the format has a higher rate, 0 to 1; null where it is not compared. */
  best: z.number().nullable(),
});
export type ComparedCreative = z.infer<typeof ComparedCreative>;

/**
 * The result of the comparison. `best`: one creative is the best with a probability of 95 % or more. `not_enough`: none is.
 * `none`: there is nothing to compare, one creative alone or no click or install.
 */
const Verdict = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('best'), uuid: Uuid, probability: z.number() }),
  z.object({
    outcome: z.literal('not_enough'),
    /** Creative that leads. */
    uuid: Uuid,
    probability: z.number(),
    /**
     * Days of the traffic of the last 24 hours until it is decided, if the rates stay as they are; null for more than
     * {@link DAYS_LEFT_MAX}, and without traffic.
     */
    days_left: z.int().nullable(),
    /** Whether the creatives had impressions in the last 24 hours. */
    has_traffic: z.boolean(),
  }),
  z.object({ outcome: z.literal('none') }),
]);
export type Verdict = z.infer<typeof Verdict>;

const CreativeComparison = z.object({
  type: z.enum(CREATIVE_TYPES),
  /** Width and height of banners, as `320x50`; null for other types. */
  format: z.string().nullable(),
  /** The highest rate first. */
  creatives: z.array(ComparedCreative),
  verdict: Verdict,
});
export type CreativeComparison = z.infer<typeof CreativeComparison>;

/** Creatives of a campaign, compared with those that are shown in the same places: banners of one size, and each other type. */
export const CampaignCreatives = z.object({ comparisons: z.array(CreativeComparison) });
export type CampaignCreatives = z.infer<typeof CampaignCreatives>;

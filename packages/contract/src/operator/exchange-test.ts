import { z } from 'zod';
import { Uuid } from '../lib/wire.ts';
import { UNSIGNED_REASONS } from '../skadnetwork/outcomes.ts';
import { SKADNETWORK_VERSIONS } from '../skadnetwork/versions.ts';

/** Longest bid request that bidders accept, in bytes. */
export const BID_REQUEST_BYTES_MAX = 512 * 1024;

/** POST /api/operator/ssps/:slug/test: a bid request as an exchange would send it. */
export const ExchangeTestInput = z.object({
  request: z
    .string()
    .min(1, 'Paste a bid request')
    .refine((text) => new TextEncoder().encode(text).length <= BID_REQUEST_BYTES_MAX, {
      message: 'Bidders accept at most 512 KB',
    }),
  /** The version in its header `x-openrtb-version`. */
  version: z.enum(['2.5', '2.6']).default('2.6'),
});
export type ExchangeTestInput = z.infer<typeof ExchangeTestInput>;

/** A deviation of a bid request from OpenRTB. An error costs bids; a warning may. */
export const RequestProblem = z.object({
  severity: z.enum(['error', 'warning']),
  /** Where it is, such as `imp[0].video.mimes`; '' for the whole request. */
  path: z.string(),
  message: z.string(),
});
export type RequestProblem = z.infer<typeof RequestProblem>;

/** An imp as a bidder read it. */
const ReadImp = z.object({
  id: z.string(),
  /** `banner 320x50`, `video 5-30 s`, `native`. */
  formats: z.array(z.string()),
  /** Dollars per thousand impressions; null when its currency has no rate. */
  floor: z.number().nullable(),
  interstitial: z.boolean(),
  rewarded: z.boolean(),
  secure: z.boolean(),
});

/** A bid request as a bidder read it; '' for absent fields. */
export const ReadRequest = z.object({
  id: z.string(),
  test: z.boolean(),
  bundle: z.string(),
  app_name: z.string(),
  genres: z.array(z.string()),
  os: z.string(),
  os_version: z.string(),
  device_type: z.string(),
  device_model: z.string(),
  connection: z.string(),
  country: z.string(),
  language: z.string(),
  /** Whether the request allows the use of the advertising id, and of the IP address. */
  has_ifa: z.boolean(),
  has_ip: z.boolean(),
  auction_type: z.enum(['first', 'second']),
  /** ISO 4217; null when no currency of the request has a rate. */
  currency: z.string().nullable(),
  timeout_ms: z.number().nullable(),
  seat_allowed: z.boolean(),
  blocked: z.object({ advertisers: z.number(), apps: z.number(), categories: z.number() }),
  imps: z.array(ReadImp),
});
export type ReadRequest = z.infer<typeof ReadRequest>;

/** How a bid of an iOS app is signed for SKAdNetwork and AdAttributionKit. */
const TestedSigning = z.object({
  /** Version of SKAdNetwork that it is signed for; null without. */
  skadnetwork: z.enum(SKADNETWORK_VERSIONS).nullable(),
  adattributionkit: z.boolean(),
  /** Why it is signed for neither; null for a signed bid. */
  unsigned: z.enum(UNSIGNED_REASONS).nullable(),
});
export type TestedSigning = z.infer<typeof TestedSigning>;

/** A bid that a bidder would send. Its tracking URLs are not valid. */
export const TestedBid = z.object({
  imp_id: z.string(),
  price: z.number(),
  currency: z.string(),
  company_uuid: Uuid,
  campaign_uuid: Uuid,
  campaign: z.string(),
  adset_uuid: Uuid,
  creative_uuid: Uuid,
  creative_type: z.string(),
  width: z.number(),
  height: z.number(),
  /** HTML, VAST or the JSON of a native ad. */
  markup: z.string(),
  /** URL of the creative's image or video file. */
  file_url: z.string(),
  /** Null where the device has no iOS. */
  signing: TestedSigning.nullable(),
});
export type TestedBid = z.infer<typeof TestedBid>;

/** How bidders would respond to a sample bid request. */
export const ExchangeTest = z.object({
  problems: z.array(RequestProblem),
  /** Null when the request cannot be read and gets 400. */
  read: ReadRequest.nullable(),
  adsets: z.object({
    /** Running ad sets, and the number of them checked in the time for a test. */
    running: z.number().int(),
    checked: z.number().int(),
    /** Ad sets that could bid. */
    bidding: z.number().int(),
    /** The others, by the check that excluded them, in the order of the checks. */
    reasons: z.array(z.object({ reason: z.string(), adsets: z.number().int() })),
  }),
  /** Why there is no bid; null with bids. */
  no_bid_reason: z.string().nullable(),
  bids: z.array(TestedBid),
  /** The bid response as JSON; null without bids. */
  response: z.string().nullable(),
  /** Data that this process lacks, and differences from real requests. */
  notes: z.array(z.string()),
});
export type ExchangeTest = z.infer<typeof ExchangeTest>;

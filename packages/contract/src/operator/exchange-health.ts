import { z } from 'zod';
import { Timestamp } from '../lib/wire.ts';

/** Figures of an exchange over a time. Percentages and latencies are null where there is nothing to compute them from. */
export const ExchangeFigures = z.object({
  /** Bid requests, also those above its limit. */
  requests: z.number().int(),
  /** Requests per second, on average. */
  qps: z.number(),
  /** Requests that got at least one bid, and their part of all. */
  answered: z.number().int(),
  bid_rate_percent: z.number().nullable(),
  /** Bids sent, without those for tests: a response may have several. */
  bids: z.number().int(),
  /** Win notices, and their part of the bids sent in the same time; null where charges came without any. */
  wins: z.number().int(),
  win_rate_percent: z.number().nullable(),
  /** Responses after the exchange's timeout or the request's `tmax`. */
  late: z.number().int(),
  /** Requests above its limit of requests per second. */
  above_limit: z.number().int(),
  /** Requests that were not read because no response was possible in time. */
  shed: z.number().int(),
  /** Requests that could not be read, and those that ended with an error of the bidder. */
  unreadable: z.number().int(),
  /** Part of the checked requests that name another country than their address is in; null without a database of addresses. */
  country_mismatch_percent: z.number().nullable(),
  country_checked: z.number().int(),
  failed: z.number().int(),
  /** Time from the arrival of a request to its response, ms, with its wait in the server; off by at most 8 %. Without shed ones. */
  latency_p50_ms: z.number().nullable(),
  latency_p99_ms: z.number().nullable(),
  billing_notices: z.number().int(),
  loss_notices: z.number().int(),
  /** Impressions that the markup reported. */
  impressions: z.number().int(),
  /** Impressions that were charged. */
  charged: z.number().int(),
  /**
   * By how much the charged impressions fall short of the win notices, in percent of these; below 0 where more were
   * charged. Null where the exchange charges on the win notice.
   */
  discrepancy_percent: z.number().nullable(),
  /** The exchange's charges without margins, in dollars. */
  spend: z.number(),
});
export type ExchangeFigures = z.infer<typeof ExchangeFigures>;

/** Longest period of a report on the health of an exchange. */
export const HEALTH_MINUTES_MAX = 1440;

export const ExchangeHealthQuery = z.object({
  /** The last minutes, with the present one. */
  minutes: z.coerce
    .number<number>({ error: 'Enter a number' })
    .int()
    .min(1)
    .max(HEALTH_MINUTES_MAX)
    .default(60),
  /** End of the time; now by default, and in place of a later time. Counts are stored for seven days. */
  until: z.iso.datetime({ error: 'Write a time in UTC, such as 2026-05-01T12:00:00Z' }).optional(),
});

/** Figures of an exchange over a time and of its last full minute. */
const Summary = z.object({ total: ExchangeFigures, last_minute: ExchangeFigures });

/** Health of all exchanges. */
export const ExchangeSummaries = z.object({
  exchanges: z.array(Summary.extend({ slug: z.string() })),
});
export type ExchangeSummaries = z.infer<typeof ExchangeSummaries>;

/** What to ask an exchange to send: its requests of a system in these countries with these formats. Dollars are estimates. */
export const Pretargeting = z.object({
  system: z.string(),
  /** ISO 3166-1 alpha-2. */
  countries: z.array(z.string()),
  formats: z.array(z.string()),
  /** Requests that the exchange offered of them. */
  requests_per_second: z.number(),
  /** Expected charges for all of these requests in a day, and for the part that was skipped. */
  value_per_day: z.number(),
  added_value_per_day: z.number(),
});
export type Pretargeting = z.infer<typeof Pretargeting>;

/** Requests of a country, system and format. What is not known of them is an empty text; all three are empty for the rest of the kinds. */
export const SkippedSegment = z.object({
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  system: z.string(),
  format: z.string(),
  offered: z.number().int(),
  skipped: z.number().int(),
  /** Expected charges for the skipped requests in a day; null where they are not known yet. */
  skipped_value_per_day: z.number().nullable(),
});
export type SkippedSegment = z.infer<typeof SkippedSegment>;

/** Which requests of an exchange with a limit were read, without those on which no ad set can bid. Dollars are estimates. */
export const ExchangeShaping = z.object({
  /** The minute of the first such request. Rates, and values of a day, are of the time from then on. */
  since: Timestamp,
  /** Requests read while fewer came than the limit; and of more, those chosen by their value, and at random. */
  read_within_limit: z.number().int(),
  read_by_value: z.number().int(),
  read_at_random: z.number().int(),
  /** Requests that were not read as a whole; and those above ten times the limit, of which nothing was read. */
  skipped: z.number().int(),
  unread: z.number().int(),
  /** Part of the requests on which an ad set can bid that was not read. Requests of which nothing was read are assumed to be like the others. */
  skipped_percent: z.number().nullable(),
  /** Expected charges for the skipped requests in a day; null where they are not known yet. */
  skipped_value_per_day: z.number().nullable(),
  /** The skipped segments of the most value, at most fifty. */
  segments: z.array(SkippedSegment),
  /** At most ten; empty where nothing was skipped, and where the exchange has no limit now. */
  pretargeting: z.array(Pretargeting),
});
export type ExchangeShaping = z.infer<typeof ExchangeShaping>;

/** Health of one exchange. */
export const ExchangeHealth = Summary.extend({
  from: Timestamp,
  until: Timestamp,
  /** Minutes of a step of the series. */
  step_minutes: z.number().int(),
  series: z.array(
    ExchangeFigures.extend({
      at: Timestamp,
      /** Whether the step lies before the end of the time entirely. */
      complete: z.boolean(),
    }),
  ),
  /** Requests without a bid by reason, most frequent first. */
  no_bids: z.array(z.object({ reason: z.string(), requests: z.number().int() })),
  /**
   * Loss notices by the loss reason code of OpenRTB, most frequent first. The code 0 has the notices without a code, and those
   * of rare codes beyond the first fifty of a minute.
   */
  losses: z.array(z.object({ code: z.number().int(), notices: z.number().int() })),
  /**
   * Bids that were charged and whose win notice never came; null while the event database does not respond, and of an exchange
   * that sent no win notice at all.
   */
  charged_without_win: z.number().int().nullable(),
  /** Null where the exchange had no limit in the time, or no such request came. */
  shaping: ExchangeShaping.nullable(),
});
export type ExchangeHealth = z.infer<typeof ExchangeHealth>;

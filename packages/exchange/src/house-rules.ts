import { toDollars } from '@bidwell/contract/lib/money';
import {
  type JudgedRule,
  type ReceivedResponse,
  refusalsOf,
} from '@bidwell/contract/operator/exchange-judge';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ExchangeRules, ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { AuctionResult } from './auction.ts';
import type { Bid } from './bid-response.ts';
import { type Random, pick } from './random.ts';
import type { BidRequest } from './traffic/bid-request.ts';

/** What was agreed with the exchange. */
export interface Agreement {
  /** Billing ids of buyers, which its requests name. */
  billingIds: readonly string[];
  /** How long the review of a creative takes from its first bid, milliseconds; 0: all are approved. */
  reviewMs: number;
}

/** Codes that say that a bid itself is wrong: only refusals have them. */
const VALIDATION_CODES: readonly number[] = [1000, 1001, 1004, 1005, 1011];
/** Share of bids that a rule of the publisher blocks, with a code that only this exchange has. */
const BLOCKED_SHARE = 0.02;
/** OpenRTB, loss reason codes: the creative waits for its review. */
const UNREVIEWED = 201;
/** Google's creative status codes: the bid won, and it lost to a higher one. */
const STATUS_WON = 1;
const STATUS_OUTBID = 79;
/** Entries of feedback in one request, and that wait for one. */
const FEEDBACK_AT_ONCE = 20;
const FEEDBACK_MAX = 1000;
/** Creatives that are remembered for their review. */
const CREATIVES_MAX = 10_000;
/** Share of requests that exclude a creative which was bid before. */
const EXCLUDING_SHARE = 0.05;

/** The rules that a named exchange applies to bids: refuses responses, reviews creatives, and gives feedback. */
export class HouseRules {
  readonly #profile: ProfileSlug;
  readonly #rules: ExchangeRules;
  readonly #agreement: Agreement;
  readonly #random: Random;
  /** By rule, with the words of the last one. */
  readonly #refusals = new Map<JudgedRule, { count: number; words: string }>();
  readonly #feedback: object[] = [];
  /** When each creative was first bid, by its id. */
  readonly #seenAtMs = new Map<string, number>();
  readonly #ownCodes: readonly number[];

  constructor(profile: ProfileSlug, agreement: Agreement, random: Random) {
    this.#profile = profile;
    this.#rules = rulesOf(profile);
    this.#agreement = agreement;
    this.#random = random;
    this.#ownCodes = Object.keys(this.#rules.loss_codes ?? {})
      .map(Number)
      .filter((code) => !VALIDATION_CODES.includes(code));
  }

  /** A request with what the exchange adds to it: billing ids, an excluded creative, and feedback on earlier bids. */
  asked(request: BidRequest): BidRequest {
    const { billingIds } = this.#agreement;
    const billing = this.#rules.billing_id && billingIds.length > 0 ? { billing_id: billingIds } : {};
    const excluded = this.#excluded();
    const bidFeedback = this.#feedback.splice(0, FEEDBACK_AT_ONCE);
    return {
      ...request,
      imp: request.imp.map((imp) => ({ ...imp, ext: { ...imp.ext, ...billing, ...excluded } })),
      ...(bidFeedback.length > 0 && { ext: { bid_feedback: bidFeedback } }),
    };
  }

  #excluded(): { excluded_creatives?: { buyer_creative_id: string }[] } {
    if (!this.#rules.excluded_creatives || this.#seenAtMs.size === 0) return {};
    if (this.#random() >= EXCLUDING_SHARE) return {};
    return { excluded_creatives: [{ buyer_creative_id: pick(this.#random, [...this.#seenAtMs.keys()]) }] };
  }

  /** The loss code with which the exchange refuses a response, counted by reason; null if it accepts it. */
  refusalOf(request: BidRequest, response: ReceivedResponse): number | null {
    const refusals = refusalsOf(this.#profile, request, response);
    for (const { rule, code, reason, fault } of refusals) {
      const { count } = this.#refusals.get(rule) ?? { count: 0 };
      this.#refusals.set(rule, { count: count + 1, words: `${code} ${reason}: ${fault}` });
    }
    return refusals[0]?.code ?? null;
  }

  /** The refusals by rule, each with its number and the last one in the exchange's words, the most frequent first. */
  refusalLines(): string[] {
    return [...this.#refusals.values()]
      .toSorted((one, other) => other.count - one.count)
      .map(({ count, words }) => `${count} × ${words}`);
  }

  /** The loss code of a bid that does not take part in the auction; null if it does. */
  barredCode({ creativeId }: Bid, nowMs: number): number | null {
    const seenAtMs = this.#seenAtMs.get(creativeId);
    if (seenAtMs === undefined && this.#seenAtMs.size < CREATIVES_MAX) this.#seenAtMs.set(creativeId, nowMs);
    if (nowMs - (seenAtMs ?? nowMs) < this.#agreement.reviewMs) return UNREVIEWED;
    if (this.#ownCodes.length === 0 || this.#random() >= BLOCKED_SHARE) return null;
    return pick(this.#random, this.#ownCodes);
  }

  /** Remembers how a bid ended, for feedback in a later request. */
  ended({ feedbackToken }: Bid, result: AuctionResult): void {
    if (!this.#rules.bid_feedback || !feedbackToken || this.#feedback.length >= FEEDBACK_MAX) return;
    this.#feedback.push({
      event_notification_token: { payload: feedbackToken },
      creative_status_code: result.won ? STATUS_WON : STATUS_OUTBID,
      ...(result.won && { price: toDollars(result.clearingCpmMicros) }),
      minimum_bid_to_win: toDollars(result.minToWinCpmMicros),
    });
  }
}

/** Whether a loss code says that the creative was not reviewed. */
export function isUnreviewed(code: number): boolean {
  return code === UNREVIEWED;
}

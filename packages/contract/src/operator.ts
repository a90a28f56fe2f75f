import { z } from 'zod';
import { limits } from './limits.ts';
import { messages } from './messages.ts';
import { Timestamp, Uuid } from './wire.ts';

/** Calls of /api/operator, made with the operator's token by the command line. */
export const Decision = z
  .object({
    status: z.enum(['Approved', 'Rejected']),
    reason: z.string().trim().max(500).optional(),
    /** With a rejection: the version that was approved before stops as well. */
    withdraw: z.boolean().optional(),
  })
  .refine((decision) => decision.status === 'Approved' || !!decision.reason, {
    path: ['reason'],
    message: 'A rejection needs a reason',
  });
export type Decision = z.infer<typeof Decision>;

/** Moves money by hand; dollars. */
export const MoneyMove = z.object({
  amount: z
    .number('Enter an amount')
    .positive('Enter an amount above 0')
    .max(limits.moneyMoveMaxDollars, messages.moneyMoveMax),
  reason: z.string().trim().min(1, 'Say why').max(200),
});
export type MoneyMove = z.infer<typeof MoneyMove>;

/**
 * What spends the advertiser's money: an exchange's billing notice, its win notice, the impression that the markup itself
 * reports, or the first of billing notice and impression, whichever comes.
 */
export const CHARGE_ON = ['billing', 'win', 'impression', 'first'] as const;
export type ChargeOn = (typeof CHARGE_ON)[number];

/** How an exchange writes the clearing price into its notices. */
export const PRICE_FORMATS = ['plain', 'google-encrypted'] as const;
export type PriceFormat = (typeof PRICE_FORMATS)[number];

/**
 * What a notice charges whose price cannot be read: the bid, nothing, or nothing until a notice of the same bid comes with
 * a price.
 */
export const UNREADABLE_PRICE_RULES = ['bid', 'hold', 'zero'] as const;
export type UnreadablePriceRule = (typeof UNREADABLE_PRICE_RULES)[number];

/** A key of an exchange for its encrypted prices: 32 bytes in Base64, web-safe or not, or in hexadecimal. */
const priceKey = z
  .string()
  .trim()
  .regex(/^(?:[\w+/-]{43}=?|[\da-f]{64})$/i, '32 bytes in Base64 or hexadecimal')
  .optional();

const macro = z.string().trim().max(200);

/** An exchange: where its bid requests come from (`/openrtb/{slug}/{secret}`), and how it deviates from what OpenRTB says. */
export const SspInput = z.object({
  name: z.string().trim().min(1).max(50),
  charge_on: z.enum(CHARGE_ON).default('billing'),
  /** Whether its auctions are of first or of second price, whatever its requests say. */
  auction_type: z.enum(['request', 'first', 'second']).default('request'),
  /** Put before the address of a click, which is then percent-encoded. */
  click_macro: macro.default(''),
  /** What it replaces by the clearing price and by the reason of a loss. */
  price_macro: macro.default('${AUCTION_PRICE}'),
  loss_macro: macro.default('${AUCTION_LOSS}'),
  /** How it writes the clearing price, and what a notice costs whose price cannot be read. */
  price_format: z.enum(PRICE_FORMATS).default('plain'),
  unreadable_price: z.enum(UNREADABLE_PRICE_RULES).default('bid'),
  /** The keys of encrypted prices. Never answered; where one is absent, the present one stays. */
  price_encryption_key: priceKey,
  price_integrity_key: priceKey,
  /** Milliseconds in which it wants its answer, where its requests allow more or do not say. */
  timeout_ms: z.number().int().min(1).max(10_000).nullable().default(null),
  /** Requests beyond are answered 204 unread. */
  requests_per_second: z.number().int().min(1).max(1_000_000).nullable().default(null),
  /** The most bytes of an answer, before it is zipped; a bid that would make it longer is not sent. Null is no limit. */
  answer_bytes_max: z.number().int().min(500).max(10_000_000).nullable().default(null),
  /** The id by which it knows us, in its `wseat` and `bseat` and in our bids. */
  seat: z.string().trim().min(1).max(100).default('bidwell'),
  /** The last part of its address. Where it is absent, the present one stays or a new one is made. */
  secret: z
    .string()
    .regex(/^[\w-]{16,100}$/, '16 to 100 letters, digits, dashes and underscores')
    .optional(),
  /** Its address works without the secret too: then anybody can fetch bids in its name. */
  open: z.boolean().default(false),
  active: z.boolean().default(true),
});
export type SspInput = z.infer<typeof SspInput>;

export const SspSlug = z.object({
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'Lower-case letters, digits and dashes'),
});

/** An exchange as the operator sees it. */
export const Ssp = SspInput.omit({ price_encryption_key: true, price_integrity_key: true })
  .required({ secret: true })
  .extend(SspSlug.shape)
  .extend({
    /** Whether both keys of encrypted prices are stored. */
    has_price_keys: z.boolean(),
    /** Where its bid requests go, on PUBLIC_URL. */
    path: z.string(),
    /** Until when the secret before the present one is taken too; null when it is not. */
    previous_secret_until: Timestamp.nullable(),
  });
export type Ssp = z.infer<typeof Ssp>;

/** Notices of one exchange whose price could not be read, or was none, over some days. */
export const UnpricedNotices = z.object({
  ssp: z.string(),
  /** `missing`, `unreplaced_macro`, `negative`, `not_a_number`, `not_decrypted`, `audit` or `free`. */
  reason: z.string(),
  notices: z.number().int(),
  /** Dollars that they charged, and what their bids would have cost. */
  charged: z.number(),
  bid: z.number(),
  last_at: Timestamp,
});
export type UnpricedNotices = z.infer<typeof UnpricedNotices>;

/** Makes a new secret for an exchange; the old one stays valid for a day, unless it ends at once. */
export const SecretRotation = z.object({ end_old: z.boolean().default(false) });

/** What one unit of a currency is worth. */
export const CurrencyRate = z.object({ dollars: z.number().positive().max(1_000_000) });
export const CurrencyCode = z.object({ currency: z.string().regex(/^[A-Z]{3}$/, 'Three capital letters') });

export const Suspension = z.object({ suspended: z.boolean() });

export const ModerationItem = z.object({
  entity: z.enum(['app', 'creative', 'creative_group', 'tracking_link']),
  uuid: Uuid,
  company_uuid: Uuid,
  name: z.string(),
  /** Where it can be looked at: a store page, a destination, or an address of the file that is good for an hour. */
  link: z.string(),
  /** What waits for the decision, field by field. */
  pending: z.record(z.string(), z.string().nullable()),
  /** What runs meanwhile; null where nothing does. */
  approved: z.record(z.string(), z.string().nullable()).nullable(),
  since: z.string(),
});
export type ModerationItem = z.infer<typeof ModerationItem>;

export const OperatorCompany = z.object({
  uuid: Uuid,
  name: z.string(),
  logins: z.array(z.string()),
  balance: z.number(),
  suspended: z.boolean(),
  postback_secret: z.string(),
  time_zone: z.string(),
  created_at: z.string(),
});
export type OperatorCompany = z.infer<typeof OperatorCompany>;

export const TopUpItem = z.object({
  uuid: Uuid,
  company_uuid: Uuid,
  amount: z.number(),
  created_at: z.string(),
});
export type TopUpItem = z.infer<typeof TopUpItem>;

/** GET /api/operator/ledger/check: what the books hold, in dollars, and everything in them that does not agree. */
export const LedgerCheck = z.object({
  transactions: z.number().int(),
  entries: z.number().int(),
  balances: z.number(),
  disagreements: z.array(
    z.object({
      what: z.enum(['entries', 'transaction', 'balance', 'spend', 'report', 'bound', 'event']),
      company_uuid: Uuid,
      of: z.string(),
      expected: z.number(),
      found: z.number(),
    }),
  ),
});
export type LedgerCheck = z.infer<typeof LedgerCheck>;

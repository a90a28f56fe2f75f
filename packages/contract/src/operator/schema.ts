import { z } from 'zod';
import { CompanyRole } from '../accounts/schema.ts';
import { isTimeZone } from '../lib/calendar.ts';
import { StatementBody } from '../finance/schema.ts';
import { limits } from '../lib/limits.ts';
import { accountMessages } from '../accounts/messages.ts';
import { PROFILE_SLUGS } from './exchange-rules.ts';
import { financeMessages } from '../finance/messages.ts';
import { Storage } from '../storage/schema.ts';
import { CalendarDate, Page, Timestamp, Uuid, requiredName } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/** A credit or debit by an operator, in dollars. */
export const MoneyMove = z.object({
  amount: z
    .number('Enter an amount')
    .positive('Enter an amount above 0')
    .max(limits.moneyMoveMaxDollars, financeMessages.moneyMoveMax),
  reason: z.string().trim().min(1, 'Say why').max(200),
});
export type MoneyMove = z.infer<typeof MoneyMove>;

/**
 * The event that charges the advertiser: the exchange's billing notice, its win notice, the impression that the markup
 * reports, or whichever of billing notice and impression comes first.
 */
export const CHARGE_ON = ['billing', 'win', 'impression', 'first'] as const;
export type ChargeOn = (typeof CHARGE_ON)[number];

/** Formats of the clearing price in an exchange's notices. */
export const PRICE_FORMATS = ['plain', 'google-encrypted'] as const;
export type PriceFormat = (typeof PRICE_FORMATS)[number];

/**
 * The charge of a notice with an unreadable price: the bid price, nothing until a notice of the same bid has a price
 * (`hold`), or nothing.
 */
export const UNREADABLE_PRICE_RULES = ['bid', 'hold', 'zero'] as const;
export type UnreadablePriceRule = (typeof UNREADABLE_PRICE_RULES)[number];

/**
 * Which notices are called by the device in place of the exchange's server: none, the billing notice, or the win notice
 * too. The price in a notice of a device does not lower a charge.
 */
export const DEVICE_NOTICES = ['none', 'billing', 'all'] as const;
export type DeviceNotices = (typeof DEVICE_NOTICES)[number];

/** An exchange's key for encrypted prices: 32 bytes in Base64 (standard or URL-safe) or hexadecimal. */
const priceKey = z
  .string()
  .trim()
  .regex(/^(?:[\w+/-]{43}=?|[\da-f]{64})$/i, '32 bytes in Base64 or hexadecimal')
  .optional();

const macro = z.string().trim().max(200);

/** Settings of an exchange, which calls `/openrtb/{slug}/{secret}`: its deviations from OpenRTB, and its limits. */
export const SspInput = z.object({
  name: requiredName(50),
  /**
   * The exchange whose rules bids follow. If absent, the stored one stays, or it is found by the id or name of a new exchange.
   */
  profile: z.enum(PROFILE_SLUGS).optional(),
  charge_on: z.enum(CHARGE_ON).default('billing'),
  /** First or second price, regardless of its requests' `at`; `request` follows them. */
  auction_type: z.enum(['request', 'first', 'second']).default('request'),
  /** Prefix of click URLs, which are then percent-encoded. */
  click_macro: macro.default(''),
  /** The macros that it replaces by the clearing price and by the loss reason. */
  price_macro: macro.default('${AUCTION_PRICE}'),
  loss_macro: macro.default('${AUCTION_LOSS}'),
  /** Format of its clearing prices, and the charge for a notice with an unreadable price. */
  price_format: z.enum(PRICE_FORMATS).default('plain'),
  /** Whether its plain prices have a decimal comma: `2,5` is 2.5. */
  decimal_comma: z.boolean().default(false),
  unreadable_price: z.enum(UNREADABLE_PRICE_RULES).default('bid'),
  /** Which of its notices the device calls: their price is never charged below the bid. */
  device_notices: z.enum(DEVICE_NOTICES).default('none'),
  /** Keys of encrypted prices. Never returned; if absent, the stored one stays. */
  price_encryption_key: priceKey,
  price_integrity_key: priceKey,
  /** Response timeout in milliseconds, where its requests allow more or have no `tmax`. */
  timeout_ms: z.number().int().min(1).max(10_000).nullable().default(null),
  /** Rate limit; requests beyond it get 204 without being parsed. */
  requests_per_second: z.number().int().min(1).max(1_000_000).nullable().default(null),
  /** Largest response in bytes, before compression; a bid that would exceed it is not sent. Null is no limit. */
  answer_bytes_max: z.number().int().min(500).max(10_000_000).nullable().default(null),
  /** This DSP's seat id at the exchange: in its `wseat` and `bseat`, and in bids. */
  seat: z.string().trim().min(1).max(100).default('bidwell'),
  /** Last segment of its URL. If absent, the stored one stays, or a new one is generated. */
  secret: z
    .string()
    .regex(/^[\w-]{16,100}$/, '16 to 100 letters, digits, dashes and underscores')
    .optional(),
  /** Accepts requests without the secret too; anyone can then request bids in its name. */
  open: z.boolean().default(false),
  active: z.boolean().default(true),
});
export type SspInput = z.infer<typeof SspInput>;

export const SspSlug = z.object({
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'Lower-case letters, digits and dashes'),
});

/** An exchange in responses to the operator. */
export const Ssp = SspInput.omit({ price_encryption_key: true, price_integrity_key: true })
  .extend(SspSlug.shape)
  .extend({
    /** The exchange whose rules bids follow. */
    profile: z.enum(PROFILE_SLUGS),
    /** Empty for operators other than admins, like the path that contains it. */
    secret: z.string(),
    /** Whether both keys of encrypted prices are stored. */
    has_price_keys: z.boolean(),
    /** Path of its bid requests, relative to PUBLIC_URL. */
    path: z.string(),
    /** Until when the previous secret is accepted too; null if it is not. */
    previous_secret_until: Timestamp.nullable(),
    /**
     * Settings from an earlier version of its profile that the exchange's documentation now contradicts. They
     * stay until an operator changes them.
     */
    profile_changes: z.array(
      z.object({
        /** The name of the setting, such as `charge_on`. */
        field: z.string(),
        setting: z.union([z.string(), z.number(), z.null()]),
        documented: z.union([z.string(), z.number(), z.null()]),
        /** The statement of the documentation, and its address. */
        text: z.string(),
        source: z.string(),
      }),
    ),
  });
export type Ssp = z.infer<typeof Ssp>;

export const exchangeVersion = entityVersion(Ssp, ['secret', 'path', 'previous_secret_until']);

/** Most billing ids of a company at an exchange. */
export const BILLING_IDS_MAX = 100;

/** A billing id of an exchange: a number of at most 20 digits, as a text. */
export const BillingId = z
  .string()
  .trim()
  .regex(/^\d{1,20}$/, 'A number of at most 20 digits');

/** The billing ids of a company at an exchange that bills each buyer; without any, it has none there. */
export const BillingIdsInput = z.object({
  billing_ids: z
    .array(BillingId)
    .max(BILLING_IDS_MAX, `At most ${BILLING_IDS_MAX}`)
    .transform((ids) => [...new Set(ids)]),
});
export const CompanyBillingIds = z.object({
  company_uuid: Uuid,
  company_name: z.string(),
  billing_ids: z.array(z.string()),
});
export type CompanyBillingIds = z.infer<typeof CompanyBillingIds>;

/** The companies with billing ids at an exchange, by name. */
export const BillingIdsList = z.object({ companies: z.array(CompanyBillingIds) });
export type BillingIdsList = z.infer<typeof BillingIdsList>;

export const ExchangeCompany = SspSlug.extend({ company_uuid: Uuid });

/** All exchanges, with the PUBLIC_URL that precedes their paths; where it is not set, an address on this machine. */
export const ExchangeList = z.object({
  ssps: z.array(Ssp),
  public_url: z.string(),
  public_url_is_set: z.boolean(),
});
export type ExchangeList = z.infer<typeof ExchangeList>;

/** Notices of one exchange whose price decides a charge and could not be read, over a number of days. */
export const UnpricedNotices = z.object({
  ssp: z.string(),
  /** `missing`, `unreplaced_macro`, `negative`, `not_a_number`, `not_decrypted` or `audit`. */
  reason: z.string(),
  notices: z.number().int(),
  /** Media cost that they charged, and that their bid prices would have charged, in dollars. */
  charged: z.number(),
  bid: z.number(),
  last_at: Timestamp,
  /** The price of one of them as it was sent, without characters that no price has; empty where none had one. */
  example: z.string(),
});
export type UnpricedNotices = z.infer<typeof UnpricedNotices>;

/** Rotates an exchange's secret; the old one stays valid for a day, unless `end_old` is true. */
export const SecretRotation = z.object({ end_old: z.boolean().default(false) });

/** Exchange rate: dollars per unit of a currency. */
export const CurrencyRate = z.object({ dollars: z.number().positive().max(1_000_000) });
export const CurrencyCode = z.object({ currency: z.string().regex(/^[A-Z]{3}$/, 'Three capital letters') });

/** The switch that stops all bidding. */
export const BiddingState = z.object({
  /** Null while bidding is running. */
  stopped: z.object({ operator: z.string(), reason: z.string(), at: Timestamp }).nullable(),
});
export type BiddingState = z.infer<typeof BiddingState>;

export const BiddingSwitch = z
  .object({
    stopped: z.boolean(),
    /** Required to stop. */
    reason: z.string().trim().max(200).default(''),
  })
  .refine(({ stopped, reason }) => !stopped || reason !== '', { path: ['reason'], message: 'Say why' });

/** Suspends a company, for a reason that its people read, or resumes it. */
export const Suspension = z.object({
  suspended: z.boolean(),
  reason: z.string().trim().max(500, 'At most 500 characters').default(''),
});

/** Changes of a company's terms and notes; absent fields stay unchanged. */
export const CompanyTerms = z.strictObject({
  /** Dollars by which its balance may go below zero. */
  credit_limit: z
    .number('Enter an amount')
    .min(0, 'Enter 0 or more')
    .max(limits.moneyMoveMaxDollars, financeMessages.moneyMoveMax)
    .optional(),
  /** Margin on the media cost in percent, in steps of a hundredth; only operators see it. It holds for new bids. */
  margin_percent: z
    .number('Enter a percentage')
    .min(0, 'Enter 0 or more')
    .max(100, 'At most 100%')
    .refine((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6, 'At most two decimals')
    .optional(),
  /** Name in the IANA database: the days of budgets, campaigns, reports and statements. */
  time_zone: z.string().max(64).refine(isTimeZone, accountMessages.timeZone).optional(),
  /** Bytes of uploaded files that it may have; null for the quota of the settings. */
  storage_quota_bytes: z
    .number('Enter a size')
    .int('Enter whole bytes')
    .min(0, 'Enter 0 or more')
    .max(limits.storageQuotaBytesMax, 'At most 1 PiB')
    .nullable()
    .optional(),
  /** Only operators see them. */
  notes: z.string().trim().max(5000, 'At most 5000 characters').optional(),
});
export type CompanyTerms = z.infer<typeof CompanyTerms>;

/** Fields by which the list of companies can be sorted. */
export const COMPANY_SORTS = [
  'name',
  'balance',
  'credit_limit',
  'spend_today',
  'spend_7_days',
  'spend_30_days',
  'created_at',
] as const;
export type CompanySort = (typeof COMPANY_SORTS)[number];

/** A page of the companies. Without `sort` the newest come first; a minus before the field sorts descending. */
export const CompanyQuery = Page.extend({
  /** Part of a company's name, of a login or an email address, or its whole id. */
  q: z.string().trim().max(200).optional(),
  status: z.enum(['active', 'suspended']).optional(),
  sort: z.enum([...COMPANY_SORTS, ...COMPANY_SORTS.map((field) => `-${field}` as const)]).optional(),
});
export type CompanyQuery = z.infer<typeof CompanyQuery>;

/** A person of a company, as operators see them. */
export const CompanyPerson = z.object({
  uuid: Uuid,
  login: z.string(),
  name: z.string(),
  email: z.string(),
  /** Contact details as the person entered them. */
  contact: z.string(),
  /** Their role in the company. */
  role: CompanyRole,
});
export type CompanyPerson = z.infer<typeof CompanyPerson>;

/** A one-time password for a person of a company, to be handed over. It is shown once. */
export const OneTimePassword = z.object({
  login: z.string(),
  password: z.string(),
  expires_at: Timestamp,
});
export type OneTimePassword = z.infer<typeof OneTimePassword>;

export const OperatorCompany = z.object({
  uuid: Uuid,
  name: z.string(),
  logins: z.array(z.string()),
  people: z.array(CompanyPerson),
  balance: z.number(),
  /** Dollars by which the balance may go below zero. */
  credit_limit: z.number(),
  /** Margin on the media cost in percent; the company never sees it. */
  margin_percent: z.number(),
  /** Dollars spent today, and in the last 7 and 30 days with today, in the company's time zone. */
  spend_today: z.number(),
  spend_7_days: z.number(),
  spend_30_days: z.number(),
  storage: Storage,
  /** Null if the quota of the settings applies. */
  storage_quota_bytes: z.number().int().nullable(),
  suspended: z.boolean(),
  suspended_at: Timestamp.nullable(),
  /** Empty for an active company, and where none was given. */
  suspension_reason: z.string(),
  notes: z.string(),
  /** Empty for operators other than admins. */
  postback_secret: z.string(),
  time_zone: z.string(),
  created_at: z.string(),
});
export type OperatorCompany = z.infer<typeof OperatorCompany>;

export const operatorCompanyVersion = entityVersion(OperatorCompany, [
  'logins',
  'people',
  'balance',
  'spend_today',
  'spend_7_days',
  'spend_30_days',
  'storage',
  'postback_secret',
]);

export const TopUpItem = z.object({
  uuid: Uuid,
  company_uuid: Uuid,
  company_name: z.string(),
  amount: z.number(),
  created_at: z.string(),
});
export type TopUpItem = z.infer<typeof TopUpItem>;

/** GET /api/operator/ledger/check: totals of the ledger, in dollars, and all discrepancies found. */
export const LedgerCheck = z.object({
  checked_at: Timestamp,
  transactions: z.number().int(),
  entries: z.number().int(),
  balances: z.number(),
  disagreements: z.array(
    z.object({
      what: z.enum(['entries', 'transaction', 'balance', 'spend', 'margin', 'report', 'bound', 'event']),
      company_uuid: Uuid,
      of: z.string(),
      expected: z.number(),
      found: z.number(),
    }),
  ),
});
export type LedgerCheck = z.infer<typeof LedgerCheck>;

/** A calendar month, YYYY-MM, in the company's time zone. */
export const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written YYYY-MM');

/** {@link StatementBody} of a company in a month. */
export const Statement = StatementBody.extend({ company_uuid: Uuid, company_name: z.string(), month: Month });
export type Statement = z.infer<typeof Statement>;

/** Money of all companies on one day of UTC, in dollars. */
export const RevenueDay = z.object({
  date: CalendarDate,
  /** The spend of companies, as in their reports. */
  spend: z.number(),
  /** The part owed to exchanges, and the rest, which is the operator's margin. */
  media: z.number(),
  margin: z.number(),
  /** The sum of confirmed top-ups, credits and debits. */
  funds: z.number(),
});
export type RevenueDay = z.infer<typeof RevenueDay>;

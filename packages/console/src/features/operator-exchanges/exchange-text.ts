import { exchangeProfiles } from '@bidwell/contract/operator/exchange-profiles';
import type { ExchangeRule, RuleName } from '@bidwell/contract/operator/exchange-rules';
import type { SspInput } from '@bidwell/contract/operator/schema';

/** The exchanges with a profile. */
export const profileOptions = exchangeProfiles.map(({ slug, name }) => ({ value: slug, label: name }));

/** A choice of a setting, as a person reads it. */
export type Options<Field extends keyof SspInput> = readonly {
  value: SspInput[Field] & string;
  label: string;
}[];

export const chargeOptions: Options<'charge_on'> = [
  { value: 'billing', label: 'Billing notice (burl)' },
  { value: 'win', label: 'Win notice (nurl)' },
  { value: 'impression', label: 'Impression that the markup reports' },
  { value: 'first', label: 'Billing notice or impression, whichever comes first' },
];

export const auctionOptions: Options<'auction_type'> = [
  { value: 'request', label: 'As each request says' },
  { value: 'first', label: 'First price' },
  { value: 'second', label: 'Second price' },
];

export const priceFormatOptions: Options<'price_format'> = [
  { value: 'plain', label: 'Plain number' },
  { value: 'google-encrypted', label: 'Encrypted, as Google Authorized Buyers does' },
];

export const unreadableOptions: Options<'unreadable_price'> = [
  { value: 'bid', label: 'Charge the bid price' },
  { value: 'hold', label: 'Wait for a notice with a price' },
  { value: 'zero', label: 'Charge nothing' },
];

export const deviceNoticeOptions: Options<'device_notices'> = [
  { value: 'none', label: 'None: its server calls them' },
  { value: 'billing', label: 'The billing notice' },
  { value: 'all', label: 'Billing and win notice' },
];

/** Why a notice had no price that could be charged. */
export const faultTexts: Readonly<Record<string, string>> = {
  missing: 'No price',
  unreplaced_macro: 'Price macro not replaced',
  negative: 'Negative price',
  not_a_number: 'Not a number',
  not_decrypted: 'Price could not be decrypted',
  audit: 'Notice of an audit',
};

/** The names of settings, as the form shows them. */
export const fieldTexts = {
  auction_type: 'Auction type',
  charge_on: 'Charge on',
  price_macro: 'Price macro',
  price_format: 'Format of prices',
  timeout_ms: 'Timeout',
  answer_bytes_max: 'Longest response',
  seat: 'Seat id',
} as const;

/** The names of rules, as the form shows them. */
export const ruleTexts: Readonly<Record<RuleName, string>> = {
  imps_max: 'Imps of a request',
  https: 'Addresses',
  gzip_responses: 'Compressed responses',
  gzip_requests: 'Compressed requests',
  deadline_ms: 'Deadline',
  idle_seconds: 'Idle connections',
  min_to_win: 'Lowest price that wins',
  bid_fields: 'Fields of a bid',
  cached_seconds: 'Cached ads',
  loss_codes: 'Loss codes',
  mraid_crtype: 'Type of MRAID creatives',
  creative_types: 'Type of creative',
  playable_attributes: 'Attributes of playables',
  vast_versions: 'VAST',
  no_bid_body: 'Response without a bid',
  billing_id: 'Billing ids',
  excluded_creatives: 'Excluded creatives',
  bid_feedback: 'Feedback on bids',
  member_seat: 'Member',
  creative_code: 'Creative code',
  request_weight: 'Weight of a request',
  creative_review: 'Review of creatives',
};

/** What a rule says; own loss codes with their names. */
export function ruleText({ rule, value, text }: ExchangeRule): string {
  const named = rule === 'loss_codes' ? Object.entries(value) : [];
  return named.length === 0 ? text : `${text} ${named.map(([code, name]) => `${code}: ${name}`).join('; ')}.`;
}

/** A setting of an exchange in a sentence: a choice by its label, `no limit` for none. */
export function settingText(setting: string | number | null): string {
  if (setting === null) return 'no limit';
  const choice = [...chargeOptions, ...auctionOptions, ...priceFormatOptions].find(
    ({ value }) => value === setting,
  );
  return choice ? `“${choice.label}”` : String(setting);
}

import { z } from 'zod';
import { MMPS } from './app.ts';
import type { Mmp } from './app.ts';
import { Timestamp } from './wire.ts';

/**
 * What became of a postback. `stored`, the first report of an install, is the only one that counts; `taken_back` undoes it.
 * `pending` is only ever answered: the postback is safe and not yet decided.
 */
export const POSTBACK_OUTCOMES = [
  'stored',
  'duplicate',
  'expired',
  'no_touchpoint',
  'rejected',
  'taken_back',
  'retargeting',
  'event',
  'unknown_click',
  'unverified',
  'pending',
] as const;
export type PostbackOutcome = (typeof POSTBACK_OUTCOMES)[number];

/** Why an install is counted and yet not used for training, or counted as invalid; '' where nothing is to be said. */
export const POSTBACK_REASONS = ['', 'too_fast', 'too_late', 'rate', 'bot', 'datacenter'] as const;
export type PostbackReason = (typeof POSTBACK_REASONS)[number];

/** What an advertiser pastes for a measurement partner: an address with the partner's macros, or a part of the link. */
export const PostbackTemplate = z.object({
  mmp: z.enum(MMPS),
  /** Where it belongs. */
  purpose: z.string(),
  value: z.string(),
});
export type PostbackTemplate = z.infer<typeof PostbackTemplate>;

/** How the postbacks of one partner are checked beyond the secret in their address. */
export const PostbackSource = z.object({
  mmp: z.enum(MMPS),
  /** Addresses or networks (`198.51.100.0/24`) that postbacks may come from; empty for any. */
  networks: z.array(z.string()),
  /** The last characters of the partner's token or signing secret; null without one. It is never answered whole. */
  secret_ending: z.string().nullable(),
});
export type PostbackSource = z.infer<typeof PostbackSource>;

const NETWORKS_MAX = 100;

/** PUT /postbacks/{mmp}: what is not named stays. A secret of null is removed. */
export const PostbackSourceUpdate = z.object({
  networks: z
    .array(z.string().trim().max(50))
    .max(NETWORKS_MAX, `At most ${NETWORKS_MAX} networks`)
    .optional(),
  secret: z
    .string()
    .trim()
    .min(8, 'A secret has at least 8 characters')
    .max(500, 'A secret has at most 500 characters')
    .nullable()
    .optional(),
});
export type PostbackSourceUpdate = z.infer<typeof PostbackSourceUpdate>;

/** GET /postbacks: the addresses of the company, and what came to them lately. */
export const Postbacks = z.object({
  secret: z.string(),
  /** Until when the secret before it is valid too; null when there is none. */
  previous_secret_until: Timestamp.nullable(),
  templates: z.array(PostbackTemplate),
  /** One of each partner. */
  sources: z.array(PostbackSource),
  /** Of the last 30 days, by partner, outcome and reason. */
  counts: z.array(
    z.object({
      mmp: z.enum(MMPS),
      outcome: z.enum(POSTBACK_OUTCOMES),
      reason: z.enum(POSTBACK_REASONS),
      count: z.number().int(),
    }),
  ),
  /** The newest that named no click or impression of the company's, at most 50. */
  unknown: z.array(
    z.object({
      at: Timestamp,
      mmp: z.enum(MMPS),
      outcome: z.enum(POSTBACK_OUTCOMES),
      click_id: z.string(),
      parameters: z.string(),
    }),
  ),
});
export type Postbacks = z.infer<typeof Postbacks>;

/** What is set up in a partner's console, in its own macros. */
const addresses: Record<Exclude<Mmp, 'adjust'>, readonly [purpose: string, query: string][]> = {
  appsflyer: [
    ['Install postback', 'clickid=(clickid)&event_name=install&app_id=(app-id)&country=(country_code)'],
    ['In-app event postback', 'clickid=(clickid)&event_name=(event_name)&event_value=(event_value)'],
    ['Rejected install postback', 'clickid=(clickid)&blocked_reason=(blocked_reason)'],
  ],
  appmetrica: [
    [
      'Install postback',
      'click_id={click_id}&transaction_id={transaction_id}&install_timestamp={install_timestamp}',
    ],
    [
      'Event postback',
      'click_id={click_id}&transaction_id={transaction_id}&conversion_event_name={conversion_event_name}',
    ],
  ],
};

/**
 * Adjust takes callbacks in the app's settings, where `{label}` is what the link's `label` held, and in the link itself. What
 * stands in a link is seen by devices: it carries a token that reports the install of one click, never the secret.
 */
const adjustAddresses: readonly [purpose: string, query: string][] = [
  [
    'Install callback, in the app’s settings at Adjust; the link needs label={click_id}',
    'click_id={label}&activity_kind={activity_kind}&installed_at={installed_at}&country={country}',
  ],
  [
    'Rejected install callback, in the app’s settings at Adjust',
    'click_id={label}&activity_kind={activity_kind}&rejection_reason={rejection_reason}',
  ],
  [
    'Event callback, in the app’s settings at Adjust',
    'click_id={label}&activity_kind={activity_kind}&event={event}',
  ],
];

/**
 * Adjust's install callback as a parameter of the tracking link, encoded but for our own macro. `origin` is where postbacks
 * go, without a slash at its end.
 */
export function adjustLinkCallback(origin: string): string {
  const query = encodeURIComponent('?activity_kind={activity_kind}&installed_at={installed_at}');
  return `install_callback=${encodeURIComponent(`${origin}/postback/adjust/click/`)}{install_token}${query}`;
}

/** What an advertiser pastes for each partner. `origin` is where postbacks go, without a slash at its end. */
export function postbackTemplates(origin: string, secret: string): PostbackTemplate[] {
  const at = (mmp: Mmp) => `${origin}/postback/${mmp}/${secret}?`;
  const linkCallback: PostbackTemplate = {
    mmp: 'adjust',
    purpose: 'Install callback, a parameter of the link: nothing to set up at Adjust',
    value: adjustLinkCallback(origin),
  };
  return MMPS.flatMap((mmp): PostbackTemplate[] => [
    ...(mmp === 'adjust' ? [linkCallback] : []),
    ...(mmp === 'adjust' ? adjustAddresses : addresses[mmp]).map(([purpose, query]) => ({
      mmp,
      purpose,
      value: at(mmp) + query,
    })),
  ]);
}

/** What stands in place of a company's secret where an address must not hold it. */
export const REMOVED_SECRET = 'SECRET_REMOVED';

/** Whether an address that devices see holds one of a company's secrets, plainly or percent-encoded. Pure. */
export function holdsSecret(url: string, secrets: readonly string[]): boolean {
  const once = decodedOnce(url);
  const spellings = [url, once, decodedOnce(once)];
  return secrets.some((secret) => secret !== '' && spellings.some((spelling) => spelling.includes(secret)));
}

/** An address without a company's secrets; '' where one is so encoded that it cannot be cut out. Pure. */
export function withoutSecrets(url: string, secrets: readonly string[]): string {
  let cut = url;
  for (const secret of secrets) if (secret !== '') cut = cut.replaceAll(secret, REMOVED_SECRET);
  return holdsSecret(cut, secrets) ? '' : cut;
}

function decodedOnce(url: string): string {
  return url.replaceAll(/%([0-7][\dA-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

import { z } from 'zod';
import { MMPS, type Mmp } from '../apps/fields.ts';
import { PARTNERS, postbackQueries } from '../measurement/partners/partners.ts';
import { Timestamp } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/**
 * Outcomes of a postback. Only `stored`, the first report of an install, counts; `taken_back` reverses it. `pending`
 * appears only in responses: the postback is persisted but not yet processed. So does `erased`: nothing is stored, because the
 * device was erased.
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
  'unattributed',
  'unverified',
  'erased',
  'pending',
] as const;
export type PostbackOutcome = (typeof POSTBACK_OUTCOMES)[number];

/**
 * Why an install is excluded from training or counted as invalid, why an event in the app does not count, or which check of its origin
 * an unverified postback fails; '' if none applies.
 */
export const POSTBACK_REASONS = [
  '',
  'too_fast',
  'too_late',
  'rate',
  'bot',
  'datacenter',
  'network',
  'credential',
  'install_rejected',
  'before_click',
  'after_window',
  'in_future',
  'reported_late',
  /** The event counts, dated as its arrival: the time that the partner named cannot be read. */
  'time_unread',
  /** It is about something outside the app, such as an uninstall or a click. */
  'no_activity',
] as const;
export type PostbackReason = (typeof POSTBACK_REASONS)[number];

/** Text to paste at a measurement partner: a URL with the partner's macros, or a parameter of the tracking link. */
export const PostbackTemplate = z.object({
  mmp: z.enum(MMPS),
  /** The purpose of the text and where to paste it. */
  purpose: z.string(),
  value: z.string(),
});
export type PostbackTemplate = z.infer<typeof PostbackTemplate>;

/** Authentication of one partner's postbacks, in addition to the secret in the URL. */
export const PostbackSource = z.object({
  mmp: z.enum(MMPS),
  /** IP addresses or networks (`198.51.100.0/24`) from which postbacks are accepted; empty for any. */
  networks: z.array(z.string()),
  /** The last characters of the partner's token or signing secret, never the whole; null without one. */
  secret_ending: z.string().nullable(),
});
export type PostbackSource = z.infer<typeof PostbackSource>;

export const postbackSourceVersion = entityVersion(PostbackSource);

const NETWORKS_MAX = 100;

/** PUT /postbacks/{mmp}: absent fields stay as they are. A null secret is removed. */
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

/** GET /postbacks: the company's postback URLs, and statistics of recent postbacks. */
export const Postbacks = z.object({
  secret: z.string(),
  /** When the previous secret stops being accepted; null if there is none. */
  previous_secret_until: Timestamp.nullable(),
  templates: z.array(PostbackTemplate),
  /** One per partner. */
  sources: z.array(PostbackSource),
  /** Number of postbacks of the last 30 days by partner, outcome and reason. */
  counts: z.array(
    z.object({
      mmp: z.enum(MMPS),
      outcome: z.enum(POSTBACK_OUTCOMES),
      reason: z.enum(POSTBACK_REASONS),
      count: z.number().int(),
    }),
  ),
  /** The newest postbacks, at most 50, that refer to no click or impression of the company. */
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

const CheckState = z.enum(['none', 'passed', 'failed']);

/** The reply of the postback address to a test click's postback. Version 1. */
export const PostbackTestReply = z.object({
  v: z.literal(1),
  outcome: z.enum(POSTBACK_OUTCOMES),
  /** The reason for the outcome, if there is more to say; absent in replies of earlier releases. */
  reason: z.enum(POSTBACK_REASONS).optional(),
  /** The IP address from which the test came, as the server sees it. */
  from: z.string(),
  /** Whether that is in a configured network; `none` without any. */
  network: CheckState,
  /** Whether the partner's token or signature was accepted; `none` if no secret is configured. */
  credential: CheckState,
});
export type PostbackTestReply = z.infer<typeof PostbackTestReply>;

/** Steps of a test postback, in their order. */
export const POSTBACK_TEST_STEPS = [
  'address',
  'secret',
  'credential',
  'network',
  'click',
  'install',
] as const;
export type PostbackTestStep = (typeof POSTBACK_TEST_STEPS)[number];

/** POST /postbacks/{mmp}/test: the outcome of a test install. */
export const PostbackTest = z.object({
  /** The address that was called, without the secret and the signature. */
  address: z.string(),
  steps: z.array(
    z.object({
      step: z.enum(POSTBACK_TEST_STEPS),
      /** `skipped`: not configured, or not reached because of an earlier step. */
      result: z.enum(['passed', 'failed', 'skipped']),
      /** One or two sentences. */
      text: z.string(),
    }),
  ),
});
export type PostbackTest = z.infer<typeof PostbackTest>;

/** Test installs that a company may send a minute. */
export const POSTBACK_TESTS_PER_MINUTE = 10;

/**
 * Adjust's install callback as a parameter of the tracking link, percent-encoded except for `{install_token}`. `origin`
 * receives the postbacks and has no trailing slash.
 */
export function adjustLinkCallback(origin: string): string {
  const query = encodeURIComponent(
    '?activity_kind={activity_kind}&installed_at={installed_at}&gps_adid={gps_adid}&idfa={idfa}',
  );
  return `install_callback=${encodeURIComponent(`${origin}/postback/adjust/click/`)}{install_token}${query}`;
}

/** Texts to paste at each partner. `origin` receives the postbacks and has no trailing slash. */
export function postbackTemplates(origin: string, secret: string): PostbackTemplate[] {
  const at = (mmp: Mmp) => `${origin}/postback/${mmp}/${secret}?`;
  const linkCallback: PostbackTemplate = {
    mmp: 'adjust',
    purpose: 'Install callback, a parameter of the link: nothing to set up at Adjust',
    value: adjustLinkCallback(origin),
  };
  const pushOf = (mmp: Mmp): PostbackTemplate[] => {
    const { push } = PARTNERS[mmp].postbacks;
    if (!push) return [];
    return [{ mmp, purpose: push.name, value: `${origin}/postback/${mmp}/${secret}/${push.path}` }];
  };
  return MMPS.flatMap((mmp): PostbackTemplate[] => [
    ...(mmp === 'adjust' ? [linkCallback] : []),
    ...postbackQueries(mmp).map(({ purpose, parameters }) => ({
      mmp,
      purpose,
      value: at(mmp) + parameters.map((pair) => pair.join('=')).join('&'),
    })),
    ...pushOf(mmp),
  ]);
}

/** Replaces a company's secret in URLs that must not contain it. */
export const REDACTED_SECRET = 'SECRET_REMOVED';

/** True if a URL contains one of a company's secrets, plainly or percent-encoded once or twice. Pure. */
export function containsSecret(url: string, secrets: readonly string[]): boolean {
  const once = decodedOnce(url);
  const spellings = [url, once, decodedOnce(once)];
  return secrets.some((secret) => secret !== '' && spellings.some((spelling) => spelling.includes(secret)));
}

/** Replaces a company's secrets in a URL; '' if one is percent-encoded and so cannot be replaced. Pure. */
export function redactSecrets(url: string, secrets: readonly string[]): string {
  let cut = url;
  for (const secret of secrets) if (secret !== '') cut = cut.replaceAll(secret, REDACTED_SECRET);
  return containsSecret(cut, secrets) ? '' : cut;
}

function decodedOnce(url: string): string {
  return url.replaceAll(/%([0-7][\dA-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

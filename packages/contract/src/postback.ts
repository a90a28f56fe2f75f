import { z } from 'zod';
import { MMPS } from './app.ts';
import type { Mmp } from './app.ts';
import { Timestamp } from './wire.ts';

/** What became of a postback. `stored`, the first report of an install, is the only one that counts. */
export const POSTBACK_OUTCOMES = [
  'stored',
  'duplicate',
  'expired',
  'rejected',
  'event',
  'unknown_click',
] as const;
export type PostbackOutcome = (typeof POSTBACK_OUTCOMES)[number];

/** What an advertiser pastes for a measurement partner: an address with the partner's macros, or a part of the link. */
export const PostbackTemplate = z.object({
  mmp: z.enum(MMPS),
  /** Where it belongs. */
  purpose: z.string(),
  value: z.string(),
});
export type PostbackTemplate = z.infer<typeof PostbackTemplate>;

/** GET /postbacks: the addresses of the company, and what came to them lately. */
export const Postbacks = z.object({
  secret: z.string(),
  templates: z.array(PostbackTemplate),
  /** Of the last 30 days, by partner and outcome. */
  counts: z.array(
    z.object({ mmp: z.enum(MMPS), outcome: z.enum(POSTBACK_OUTCOMES), count: z.number().int() }),
  ),
  /** The newest that named no click of the company's, at most 50. */
  unknown: z.array(
    z.object({ at: Timestamp, mmp: z.enum(MMPS), click_id: z.string(), parameters: z.string() }),
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

/** Adjust has no console for it: each callback is a parameter of the tracking link, encoded but for our own macro. */
const linkParameters: readonly [purpose: string, parameter: string, query: string][] = [
  [
    'Install callback, a parameter of the link',
    'install_callback',
    'activity_kind={activity_kind}&installed_at={installed_at}&country={country}',
  ],
  [
    'Rejected install callback, a parameter of the link',
    'rejected_install',
    'activity_kind={activity_kind}&rejection_reason={rejection_reason}',
  ],
  [
    'Event callback, a parameter of the link; put your event’s token for EVENT_TOKEN',
    'event_callback_EVENT_TOKEN',
    'activity_kind={activity_kind}&event={event}',
  ],
];

/** What an advertiser pastes for each partner. `origin` is where postbacks go, without a slash at its end. */
export function postbackTemplates(origin: string, secret: string): PostbackTemplate[] {
  const at = (mmp: Mmp) => `${origin}/postback/${mmp}/${secret}?`;
  return MMPS.flatMap((mmp): PostbackTemplate[] =>
    mmp === 'adjust'
      ? linkParameters.map(([purpose, parameter, query]) => ({
          mmp,
          purpose,
          value: `${parameter}=${encodeURIComponent(`${at(mmp)}click_id=`)}{click_id}${encodeURIComponent(`&${query}`)}`,
        }))
      : addresses[mmp].map(([purpose, query]) => ({ mmp, purpose, value: at(mmp) + query })),
  );
}

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

/** An address for an advertiser to paste at a measurement partner, whose macros it holds. */
export const PostbackTemplate = z.object({
  mmp: z.enum(MMPS),
  /** Where at the partner it belongs. */
  purpose: z.string(),
  url: z.string(),
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

/** What each partner calls its parts, in its own macros. */
const purposes: Record<Mmp, readonly [purpose: string, query: string][]> = {
  appsflyer: [
    ['Install postback', 'clickid=(clickid)&event_name=install&app_id=(app-id)&country=(country_code)'],
    ['In-app event postback', 'clickid=(clickid)&event_name=(event_name)&event_value=(event_value)'],
    ['Rejected install postback', 'clickid=(clickid)&blocked_reason=(blocked_reason)'],
  ],
  adjust: [
    [
      'Install callback, in the link',
      'click_id={click_id}&activity_kind={activity_kind}&installed_at={installed_at}&country={country}',
    ],
    [
      'Event and rejected install callbacks, in the link',
      'click_id={click_id}&activity_kind={activity_kind}&event={event}&rejection_reason={rejection_reason}',
    ],
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

/** The addresses for the partners' consoles. `origin` is where postbacks go, without a slash at its end. */
export function postbackTemplates(origin: string, secret: string): PostbackTemplate[] {
  return MMPS.flatMap((mmp) =>
    purposes[mmp].map(([purpose, query]) => ({
      mmp,
      purpose,
      url: `${origin}/postback/${mmp}/${secret}?${query}`,
    })),
  );
}

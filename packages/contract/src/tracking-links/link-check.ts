import { z } from 'zod';
import { HttpUrl, Uuid } from '../lib/wire.ts';

const CHECKED = {
  app_id: Uuid,
  /** False: nothing is called. The partner's response is the one that its documents describe. */
  calls_partner: z.boolean().default(true),
};

/** POST /tracking_link/check: a click URL, saved or not, with macros. */
export const LinkCheckInput = z.object({ ...CHECKED, click_url: HttpUrl });
export type LinkCheckInput = z.infer<typeof LinkCheckInput>;

/** POST /tracking_link/check_view: a view URL, saved or not, with macros. */
export const ViewCheckInput = z.object({ ...CHECKED, view_url: HttpUrl });
export type ViewCheckInput = z.infer<typeof ViewCheckInput>;

/** Most requests that a check makes. */
export const LINK_HOPS_MAX = 10;
/** Checks that a company may make a minute. */
export const LINK_CHECKS_PER_MINUTE = 10;

const Hop = z.object({
  /** The address, with sample values in place of the macros; the first 2,000 characters. */
  url: z.string(),
  /** Host of the address; the scheme for an address without one, such as `market:`. */
  host: z.string(),
  /** Status of the response; null where none came, and for the page of a store, which is not requested. */
  status: z.number().int().nullable(),
  /** Milliseconds until the response; null where none was waited for. */
  ms: z.number().int().nullable(),
  /** Whether the address has the sample click id; null behind the measurement partner, where it is not needed. */
  has_click_id: z.boolean().nullable(),
  kind: z.enum(['partner', 'store', 'other']),
});
export type LinkHop = z.infer<typeof Hop>;

const LinkFinding = z.object({
  level: z.enum(['error', 'warning']),
  /** One sentence, and the remedy. */
  text: z.string(),
});
export type LinkFinding = z.infer<typeof LinkFinding>;

/** The result of opening a click URL, or of loading a view URL, as a device does; or of what the partner documents about it. */
export const LinkCheck = z.object({
  hops: z.array(Hop),
  /**
   * Errors first; none where a click URL leads to the app's page in the store with its click id, or where the partner takes a view with its
   * click id.
   */
  findings: z.array(LinkFinding),
});
export type LinkCheck = z.infer<typeof LinkCheck>;

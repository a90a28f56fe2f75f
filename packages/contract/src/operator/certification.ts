import { z } from 'zod';
import { Timestamp } from '../lib/wire.ts';
import { PROFILE_SLUGS } from './exchange-rules.ts';

/** A statement of an exchange's documentation about a response or a notice, and what was found against it; null if it holds. */
const CertifiedCheck = z.object({
  text: z.string(),
  /** The page that says so. */
  source: z.string(),
  fault: z.string().nullable(),
});

/** A case of an exchange, as this server responded to it. */
const CertifiedCase = z.object({
  title: z.string(),
  /** Whether the exchange documents the case itself; otherwise it is OpenRTB's. */
  documented: z.boolean(),
  passed: z.boolean(),
  checks: z.array(CertifiedCheck),
  /** The request and the response as JSON; the response is empty where it has no body. */
  request: z.string(),
  response: z.string(),
  /** From sending the request to the end of the response, ms. */
  took_ms: z.number().nullable(),
});
export type CertifiedCase = z.infer<typeof CertifiedCase>;

/** How this server follows the public documents of an exchange. Its cases use a sample advertiser: nothing is counted or charged. */
export const Certification = z.object({
  slug: z.string(),
  profile: z.enum(PROFILE_SLUGS),
  at: Timestamp,
  cases: z.array(CertifiedCase),
  /** Settings and rules on which nothing public was found, by name. */
  not_documented: z.array(z.string()),
});
export type Certification = z.infer<typeof Certification>;

import { z } from 'zod';
import { limits } from './limits.ts';
import { Timestamp, Uuid } from './wire.ts';

/** How an API token begins: what finds a leaked one knows it by this. */
export const API_TOKEN_PREFIX = 'bidwell_';

/** Calls that one API token may make. */
export const API_TOKEN_LIMITS = { reportsPerMinute: 60, exportsPerMinute: 10 } as const;

/** A token by which a script reads reports. Its secret is shown once, when it is made. */
export const ApiToken = z.object({
  uuid: Uuid,
  name: z.string(),
  /** The secret's last four characters. */
  ending: z.string(),
  created_at: Timestamp,
  /** To the minute; null for one that was never used. */
  last_used_at: Timestamp.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** POST /api_tokens */
export const ApiTokenInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(limits.titleMax, `Title cannot exceed ${limits.titleMax} characters`),
});
export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

/** What is answered once. */
export const NewApiToken = ApiToken.extend({ token: z.string() });
export type NewApiToken = z.infer<typeof NewApiToken>;

export const ApiTokenList = z.object({ api_tokens: z.array(ApiToken) });
export type ApiTokenList = z.infer<typeof ApiTokenList>;

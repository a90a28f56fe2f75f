import { z } from 'zod';
import { Timestamp, Uuid, title } from '../lib/wire.ts';

/** Prefix of API tokens, by which secret scanners recognize leaked ones. */
export const API_TOKEN_PREFIX = 'bidwell_';

/** Rate limits of one API token. */
export const API_TOKEN_LIMITS = { reportsPerMinute: 60, exportsPerMinute: 10 } as const;

/** An API token, with which scripts read reports. Its secret is shown once, on creation. */
export const ApiToken = z.object({
  uuid: Uuid,
  name: z.string(),
  /** The secret's last four characters. */
  ending: z.string(),
  created_at: Timestamp,
  /** Accurate to a minute; null if never used. */
  last_used_at: Timestamp.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** POST /api_tokens */
export const ApiTokenInput = z.object({
  name: title(),
});
export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

/** Response on creation, the only one with the secret. */
export const NewApiToken = ApiToken.extend({ token: z.string() });
export type NewApiToken = z.infer<typeof NewApiToken>;

export const ApiTokenList = z.object({ api_tokens: z.array(ApiToken) });
export type ApiTokenList = z.infer<typeof ApiTokenList>;

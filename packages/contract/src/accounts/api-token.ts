import { z } from 'zod';
import { accountMessages } from './messages.ts';
import { Timestamp, Uuid, title } from '../lib/wire.ts';
import { API_SCOPES, mayBeEndless } from './scope.ts';

/** Prefix of API keys, by which secret scanners recognize leaked ones. */
export const API_TOKEN_PREFIX = 'bidwell_';

/** Rate limits of one API key, in addition to the limit that it was created with. */
export const API_TOKEN_LIMITS = { reportsPerMinute: 60, exportsPerMinute: 10 } as const;

/** Bounds of the calls a minute of one API key. */
export const KEY_CALLS_PER_MINUTE = { default: 600, max: 6000 } as const;

/** Days in which a new API key expires. */
export const KEY_EXPIRY_DAYS = { default: 90, max: 365 } as const;

export const ApiScopes = z
  .array(z.enum(API_SCOPES))
  .min(1, accountMessages.keyNeedsScope)
  .max(API_SCOPES.length)
  .transform((scopes) => API_SCOPES.filter((scope) => scopes.includes(scope)));

/** An API key, with which programs call the API. Its secret is shown once, on creation. */
export const ApiToken = z.object({
  uuid: Uuid,
  name: z.string(),
  /** The secret's last four characters. */
  ending: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  calls_per_minute: z.number().int(),
  created_at: Timestamp,
  /** Name of the person who made it, whose role limits it. */
  created_by: z.string(),
  /** Null if it does not expire. */
  expires_at: Timestamp.nullable(),
  /** Accurate to a minute; null if never used. */
  last_used_at: Timestamp.nullable(),
  /** The address of the last use; the first 64 bits of an IPv6 one. */
  last_used_address: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** POST /api_tokens */
export const ApiTokenInput = z
  .object({
    name: title(),
    scopes: ApiScopes.default(['reports']),
    /** Null for one that does not expire, which only reads or sends audiences. */
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(KEY_EXPIRY_DAYS.max)
      .nullable()
      .default(KEY_EXPIRY_DAYS.default),
    calls_per_minute: z
      .number()
      .int()
      .min(1)
      .max(KEY_CALLS_PER_MINUTE.max)
      .default(KEY_CALLS_PER_MINUTE.default),
  })
  .refine(({ scopes, expires_in_days }) => expires_in_days !== null || scopes.every(mayBeEndless), {
    path: ['expires_in_days'],
    message: accountMessages.keyNeedsExpiry,
  });
export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

/** Response on creation, the only one with the secret. */
export const NewApiToken = ApiToken.extend({ token: z.string() });
export type NewApiToken = z.infer<typeof NewApiToken>;

export const ApiTokenList = z.object({ api_tokens: z.array(ApiToken) });
export type ApiTokenList = z.infer<typeof ApiTokenList>;

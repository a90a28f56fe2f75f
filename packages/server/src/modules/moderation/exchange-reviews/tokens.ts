import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { PartnerCall } from '../../../platform/outbound/call-partner.ts';
import { lruCache } from '../../../platform/lru-cache.ts';
import { type ReviewCalling, type ReviewOutcome, callReview } from './reviewer.ts';

interface Token {
  token: string;
  untilMs: number;
}

/** Tokens of exchanges by a hash of the credentials: each is asked for once as long as it is valid. */
const tokens = lruCache<string, Token>(100);

/** How an exchange gives tokens, and takes them. */
interface TokenScheme {
  /** Asks for a token, and says how long it is valid. */
  newToken: (calling: ReviewCalling) => Promise<ReviewOutcome<{ token: string; lifeMs: number }>>;
  /** The header `authorization` with a token. */
  authorization: (token: string) => string;
}

/** Calls an exchange with a token of the account. A token that the exchange refuses is not used again. */
export async function callWithToken<Schema extends z.ZodType>(
  calling: ReviewCalling,
  address: string,
  { given, schema, scheme }: { given: PartnerCall; schema: Schema; scheme: TokenScheme },
): ReturnType<typeof callReview<Schema>> {
  const token = await tokenOf(calling, scheme);
  if ('failure' in token) return { failure: token.failure, status: null };
  const headers = {
    authorization: scheme.authorization(token.token),
    accept: 'application/json',
    ...(given.body !== undefined && { 'content-type': 'application/json' }),
  };
  const called = await callReview(calling, address, { ...given, headers }, schema);
  if (called.status === 401) tokens.set(keyOf(calling), { token: '', untilMs: 0 });
  return called;
}

/** The token of an account that is still valid, or a new one. */
async function tokenOf(
  calling: ReviewCalling,
  { newToken }: TokenScheme,
): Promise<ReviewOutcome<{ token: string }>> {
  const key = keyOf(calling);
  const nowMs = calling.ctx.now().getTime();
  const known = tokens.get(key);
  if (known && known.untilMs > nowMs) return { token: known.token };
  const fetched = await newToken(calling);
  if ('failure' in fetched) return fetched;
  tokens.set(key, { token: fetched.token, untilMs: nowMs + fetched.lifeMs });
  return { token: fetched.token };
}

function keyOf({ account, login, secret }: ReviewCalling): string {
  return createHash('sha256').update(`${account}\n${login}\n${secret}`).digest('hex');
}

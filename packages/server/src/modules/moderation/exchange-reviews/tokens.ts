import { createHash } from 'node:crypto';
import { lruCache } from '../../../platform/lru-cache.ts';
import type { ReviewCalling, ReviewOutcome } from './reviewer.ts';

interface Token {
  token: string;
  untilMs: number;
}

/** Tokens of exchanges by a hash of the credentials: each is asked for once as long as it is valid. */
const tokens = lruCache<string, Token>(100);

/** The token of an account: the one that is valid still, or a new one by `fetch`, which says how long it is valid. */
export async function tokenOf(
  calling: ReviewCalling,
  fetch: () => Promise<ReviewOutcome<{ token: string; lifeMs: number }>>,
): Promise<ReviewOutcome<{ token: string }>> {
  const key = keyOf(calling);
  const nowMs = calling.ctx.now().getTime();
  const known = tokens.get(key);
  if (known && known.untilMs > nowMs) return { token: known.token };
  const fetched = await fetch();
  if ('failure' in fetched) return fetched;
  tokens.set(key, { token: fetched.token, untilMs: nowMs + fetched.lifeMs });
  return { token: fetched.token };
}

/** Forgets a token that the exchange refuses. */
export function dropToken(calling: ReviewCalling): void {
  tokens.set(keyOf(calling), { token: '', untilMs: 0 });
}

function keyOf({ account, login, secret }: ReviewCalling): string {
  return createHash('sha256').update(`${account}\n${login}\n${secret}`).digest('hex');
}

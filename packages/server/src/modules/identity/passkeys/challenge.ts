import { PASSKEY_SECONDS } from '@bidwell/contract/accounts/passkey';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { insertAnsweredChallenge } from './passkey-store.ts';

/** What a challenge is for, and to whom it was given: an answer counts for both alone. */
export interface ChallengeUse {
  /** Whose account is meant: a person's passkey logs in no operator. */
  of: 'person' | 'operator';
  purpose: 'create' | 'confirm' | 'log in' | 'second factor';
  /** The id of a session, or the secret of a browser. */
  holder: string;
}

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

type Needs = Pick<Context, 'config' | 'now'>;

/**
 * A challenge: random bytes and the time of its end, signed with what it is for, in base64url. Visitors get any number of them, so
 * none is stored before it is answered.
 */
export function newChallenge(ctx: Needs, use: ChallengeUse): string {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUIntBE(ctx.now().getTime() + PASSKEY_SECONDS * 1000, NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([head, signature(ctx, use, head)]).toString('base64url');
}

/** When a challenge of this use expires; null for one that has, or that is of no such use. */
export function challengeExpiry(ctx: Needs, use: ChallengeUse, challenge: string): Date | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  const signed = signature(ctx, use, head);
  const given = bytes.subarray(HEAD_BYTES);
  if (given.length !== signed.length || !timingSafeEqual(given, signed)) return null;
  const expiresAt = new Date(head.readUIntBE(NONCE_BYTES, TIME_BYTES));
  return expiresAt > ctx.now() ? expiresAt : null;
}

/** Ends a challenge that {@link challengeExpiry} accepted; false if it was answered before. */
export async function spendChallenge(db: Db, challenge: string, expiresAt: Date): Promise<boolean> {
  // The bytes, since one challenge can be written in several ways.
  const hash = hashToken(Buffer.from(challenge, 'base64url').toString('hex'));
  return insertAnsweredChallenge(db, { challenge_hash: hash, expires_at: expiresAt });
}

function signature({ config }: Pick<Context, 'config'>, { of, purpose, holder }: ChallengeUse, head: Buffer) {
  // Those of people are signed as in the release before, processes of which may run meanwhile.
  const use = of === 'person' ? [purpose, holder] : [of, purpose, holder];
  return createHmac('sha256', `passkey challenge:${config.signingSecret}`)
    .update(JSON.stringify(use))
    .update(head)
    .digest();
}

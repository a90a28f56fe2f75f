import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Session } from '../platform/http/auth/auth.ts';
import { deleteOldConfirmations, insertConfirmation, spendConfirmation } from './confirmation-store.ts';

const MINUTES = 10;
/** Open ones of a key; the oldest give way. */
const OPEN_MAX = 20;

/** A change that waits for its confirmation. */
export interface Confirmation {
  /** 256 random bits, of which the server stores the hash. */
  confirmation: string;
  expires_at: string;
}

/**
 * What a confirmation is bound to besides the key: the tool, its arguments, and the state of what it changes as the person was shown
 * it.
 */
export function fingerprintOf(tool: string, input: unknown, state: unknown): string {
  return sha256(canonicalJson([tool, input, state]));
}

/** Makes a confirmation for a call with a key. */
export async function newConfirmation(
  ctx: Context,
  { companyId, sessionId: keyUuid }: Session,
  fingerprint: string,
): Promise<Confirmation> {
  const confirmation = randomBytes(32).toString('base64url');
  const now = ctx.now();
  const expires = new Date(now.getTime() + MINUTES * 60_000);
  await insertConfirmation(ctx.db, companyId, {
    hash: sha256(confirmation),
    key_uuid: keyUuid,
    fingerprint,
    created_at: now,
    expires_at: expires,
  });
  await deleteOldConfirmations(ctx.db, companyId, { keyUuid, now, keep: OPEN_MAX });
  return { confirmation, expires_at: expires.toISOString() };
}

/** Uses a confirmation up; false if it is not of this key and call, was used or has expired. */
export async function isConfirmed(
  ctx: Context,
  { companyId, sessionId: keyUuid }: Session,
  confirmation: string,
  fingerprint: string,
): Promise<boolean> {
  const hash = sha256(confirmation);
  return spendConfirmation(ctx.db, companyId, { hash, keyUuid, fingerprint, now: ctx.now() });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with the fields of objects in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

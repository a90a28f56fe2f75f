import { insertConfirmation, deleteOldConfirmations, spendConfirmation } from './confirmation-store.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Session } from '../platform/http/auth/auth.ts';

const MINUTES = 10;
/** Open ones of a key; the oldest give way. */
const OPEN_MAX = 20;
const STATE_CHARS = 16;

/** A change that waits for its confirmation. */
export interface Confirmation {
  /** 256 random bits and the state of the changed entity; the server stores the hash. */
  confirmation: string;
  expires_at: string;
}

/** A call that a confirmation is of: the tool, and its arguments. */
type ConfirmedCall = readonly [tool: string, input: unknown];

/** A substitute for the version of a state that has none, such as the moment of the last change. Pure. */
export function stateOf(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, STATE_CHARS);
}

/**
 * Makes a confirmation for a call with a key, of the state that the person is shown: an ETag, or what
 * {@link stateOf} returns. The confirmation names the state, and its hash covers that.
 */
export async function newConfirmation(
  ctx: Context,
  { companyId, sessionId: keyUuid }: Session,
  { call, state }: { call: ConfirmedCall; state: string },
): Promise<Confirmation> {
  const mark = Buffer.from(state).toString('base64url');
  const confirmation = `${randomBytes(32).toString('base64url')}.${mark}`;
  const now = ctx.now();
  const expires = new Date(now.getTime() + MINUTES * 60_000);
  await insertConfirmation(ctx.db, companyId, {
    hash: sha256(confirmation),
    key_uuid: keyUuid,
    fingerprint: fingerprintOf(call),
    created_at: now,
    expires_at: expires,
  });
  await deleteOldConfirmations(ctx.db, companyId, { keyUuid, now, keep: OPEN_MAX });
  return { confirmation, expires_at: expires.toISOString() };
}

/**
 * Uses a confirmation up, and returns the state that the person was shown; null if it is not of this key and call, was used or has
 * expired.
 */
export async function confirmedState(
  ctx: Context,
  { companyId, sessionId: keyUuid }: Session,
  confirmation: string,
  call: ConfirmedCall,
): Promise<string | null> {
  const spent = { hash: sha256(confirmation), keyUuid, fingerprint: fingerprintOf(call), now: ctx.now() };
  if (!(await spendConfirmation(ctx.db, companyId, spent))) return null;
  return Buffer.from(confirmation.slice(confirmation.indexOf('.') + 1), 'base64url').toString();
}

function fingerprintOf(call: ConfirmedCall): string {
  return sha256(canonicalJson(call));
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

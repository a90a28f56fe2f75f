import { SSO_SESSION_HOURS } from '@bidwell/contract/accounts/single-sign-on';
import { SignJWT, errors, jwtVerify } from 'jose';
import { createHash } from 'node:crypto';
import { newSecret } from '../../../platform/new-secret.ts';
import type { Session, TokenError } from '../../../platform/http/auth/auth.ts';
import { lruCache } from '../../../platform/lru-cache.ts';
import { channelsOf } from '../../../platform/realtime/publisher.ts';

/** Lifetime of an access token in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Days after which an unused session expires. */
const IDLE_DAYS_MAX = 30;
/** Maximum lifetime of a session in days. */
export const SESSION_DAYS_MAX = 90;

/** Issuer and audience; tokens signed with the same secret for other purposes are rejected. */
const ISSUER = 'bidwell';
const AUDIENCE = 'bidwell-api';

/** Expiry of a refresh token issued at `now`, of a session that single sign-on began or not. */
export function refreshTokenExpiry(now: Date, loggedInAt: Date, bySso: boolean): Date {
  const idleMs = now.getTime() + IDLE_DAYS_MAX * DAY_MS;
  const sessionMs = bySso ? SSO_SESSION_HOURS * HOUR_MS : SESSION_DAYS_MAX * DAY_MS;
  return new Date(Math.min(idleMs, loggedInAt.getTime() + sessionMs));
}

/** The claims of an access token about its session. */
interface SignedSession {
  userId: string;
  companyId: string;
  sessionId: string;
  role: Session['role'];
  /** True where the company requires a second factor that the person does not have. */
  unenrolled?: boolean;
}

/**
 * Signs an access token: HS256, with claims user_id, company_id, session_id, `channels`, by which Centrifugo decides which
 * channels the bearer may subscribe to, none without a required second factor, and `viewer` for an operator's read-only session.
 */
export async function signAccessToken(
  secret: string,
  session: SignedSession,
  now: Date,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    user_id: session.userId,
    company_id: session.companyId,
    session_id: session.sessionId,
    channels: session.unenrolled ? [] : channelsOf(session),
    ...(session.role === 'viewer' && { viewer: true }),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(Buffer.from(secret));
}

/** Content and expiry of an access token. */
export interface ReadToken {
  session: Session;
  expiresAt: Date;
}

/** Tokens of the callers of some minutes. */
const VERIFIED_MAX = 10_000;
const verified = lruCache<string, ReadToken & { secret: string }>(VERIFIED_MAX);

/**
 * Verifies an access token; returns the fault if it is invalid. A signature is verified once: it takes a job in the thread pool,
 * which many calls at once would wait for, and with them everything that reads files.
 */
export async function readAccessToken(
  secret: string,
  token: string,
  now: Date,
): Promise<ReadToken | TokenError> {
  const known = verified.get(token);
  if (known?.secret === secret)
    return now < known.expiresAt ? { session: { ...known.session }, expiresAt: known.expiresAt } : 'expired';
  const read = await verifyAccessToken(secret, token, now);
  if (typeof read !== 'string')
    verified.set(token, { session: { ...read.session }, expiresAt: read.expiresAt, secret });
  return read;
}

async function verifyAccessToken(secret: string, token: string, now: Date): Promise<ReadToken | TokenError> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: now,
    });
    const { user_id: userId, company_id: companyId, session_id: sessionId, exp } = payload;
    if (typeof userId !== 'string' || typeof companyId !== 'string' || typeof sessionId !== 'string' || !exp)
      return 'invalid';
    const role = payload['viewer'] === true ? 'viewer' : 'person';
    return {
      session: { userId, companyId, sessionId, role },
      expiresAt: new Date(exp * 1000),
    };
  } catch (error) {
    // The signature has been verified at this point, so the expired token is genuine.
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return 'invalid';
    throw error;
  }
}

/** A random 256-bit secret. */
export function newSecretToken(): string {
  return newSecret(32);
}

/** Hash of a secret token, as stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

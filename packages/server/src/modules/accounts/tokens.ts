import { SignJWT, errors, jwtVerify } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import type { Session, TokenFault } from '../../platform/http/auth.ts';
import { channelsOf } from '../../platform/realtime/publisher.ts';

/** Seconds that an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

const DAY_MS = 86_400_000;
/** Days that a session lives without being used. */
const IDLE_DAYS_MAX = 30;
/** Days that a session lives, whatever happens. */
const SESSION_DAYS_MAX = 90;

/** Who signed, and for whom: a token of another use under the same secret is none of ours. */
const ISSUER = 'bidwell';
const AUDIENCE = 'bidwell-api';

/** When a refresh token that is made now expires. */
export function refreshTokenExpiry(now: Date, loggedInAt: Date): Date {
  const idleMs = now.getTime() + IDLE_DAYS_MAX * DAY_MS;
  return new Date(Math.min(idleMs, loggedInAt.getTime() + SESSION_DAYS_MAX * DAY_MS));
}

/**
 * Signs an access token: HS256, claims user_id, company_id, session_id; and `channels`, by which Centrifugo knows what its
 * bearer may hear.
 */
export async function signAccessToken(
  secret: string,
  session: Session,
  now: Date,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    user_id: session.userId,
    company_id: session.companyId,
    session_id: session.sessionId,
    channels: channelsOf(session),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(Buffer.from(secret));
}

/** What an access token says, and until when. */
export interface ReadToken {
  session: Session;
  expiresAt: Date;
}

/** Reads an access token, or says why it does not count. */
export async function readAccessToken(
  secret: string,
  token: string,
  now: Date,
): Promise<ReadToken | TokenFault> {
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
    return { session: { userId, companyId, sessionId }, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    // The signature is checked first: what is expired was once signed here.
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return 'invalid';
    throw error;
  }
}

/** A secret that only its bearer knows. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

const PREFIX = 'v2.';

/** A refresh token. Its beginning says that it was never sent in the cookie that had no prefix. */
export const newRefreshToken = () => PREFIX + newSecretToken();
export const isPrefixedToken = (token: string) => token.startsWith(PREFIX);

/** What is stored of a secret token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

import { SignJWT, errors, jwtVerify } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '../../platform/http/auth.ts';
import { channelsOf } from '../../platform/realtime/publisher.ts';

/** Seconds that an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Days that a refresh token is good for. */
export const REFRESH_TOKEN_DAYS = 30;

/**
 * Signs an access token: HS256, claims user_id, company_id, session_id; and `channels`, by which Centrifugo knows what its
 * bearer may hear.
 */
export async function signAccessToken(secret: string, session: Session, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    user_id: session.userId,
    company_id: session.companyId,
    session_id: session.sessionId,
    channels: channelsOf(session),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(Buffer.from(secret));
}

/** What an access token says, and until when. */
export interface ReadToken {
  session: Session;
  expiresAt: Date;
}

/** Reads an access token; null for one that is expired or was not signed here. */
export async function readAccessToken(secret: string, token: string, now: Date): Promise<ReadToken | null> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256'],
      currentDate: now,
    });
    const { user_id: userId, company_id: companyId, session_id: sessionId, exp } = payload;
    if (typeof userId !== 'string' || typeof companyId !== 'string' || typeof sessionId !== 'string' || !exp)
      return null;
    return { session: { userId, companyId, sessionId }, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** A secret that only its bearer knows. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

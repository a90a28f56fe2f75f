import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted too: clocks differ, and typing takes time. */
const WINDOW_STEPS = 1;

/** A new secret for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` URI of a secret, for a QR code (Google Authenticator, "Key Uri Format"); `issuer` is the name of the product. */
export function totpUri(secret: string, login: string, issuer: string): string {
  // Neither may have a colon, which separates them.
  const [label, name] = [login, issuer].map((text) => text.replaceAll(/[\s:]+/g, ' ').trim());
  return totpOf(secret, { login: label!, issuer: name! }).toString();
}

/**
 * The step of the code at this time, or null for a wrong code (RFC 6238). A step not after `lastStep` is rejected, since each
 * code is accepted once (RFC 6238, 5.2).
 */
export function acceptedStep(secret: string, code: string, nowMs: number, lastStep: number): number | null {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  if (delta === null) return null;
  const step = totp.counter({ timestamp: nowMs }) + delta;
  return step > lastStep ? step : null;
}

/** The code of a secret at this time, as an authenticator app shows it. */
export function totpCode(secret: string, nowMs: number): string {
  return totpOf(secret).generate({ timestamp: nowMs });
}

function totpOf(
  secret: string,
  { login: label = '', issuer = '' }: { login?: string; issuer?: string } = {},
): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

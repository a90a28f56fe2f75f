import type { CaptchaChallenge } from '@bidwell/contract/accounts/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { fetch } from 'undici';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Invalid, Unavailable } from '../../platform/errors.ts';
import { insertCaptchaPass, spendCaptchaPass } from './sessions/session-store.ts';
import { hashToken, newSecretToken } from './sessions/access-tokens.ts';

const CHALLENGE_MINUTES = 10;
/** Seconds after a captcha is solved within which its pass can be used for a login or registration. */
export const PASS_SECONDS = 10 * 60;

/** Creates a challenge of the configured kind. ALTCHA takes about a millisecond of CPU time. */
export async function newChallenge({ config, now }: Context): Promise<CaptchaChallenge> {
  if (config.captcha.kind === 'off') return { kind: 'off' };
  if (config.captcha.kind === 'recaptcha') return { kind: 'recaptcha', site_key: config.captcha.siteKey };
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1000,
    counter: randomInt(1000, 500),
    deriveKey,
    expiresAt: new Date(now().getTime() + CHALLENGE_MINUTES * 60_000),
    ...altchaSecrets(config.signingSecret),
  });
  return { kind: 'altcha', challenge: { ...challenge } };
}

/**
 * Verifies a solution and returns a pass for one login or registration. Throws Invalid if the solution is wrong,
 * expired or already used.
 */
export async function verifyCaptcha(ctx: Context, solution: string): Promise<string> {
  const challengeId = await challengeSolved(ctx, solution);
  const pass = newSecretToken();
  const stored =
    challengeId !== null &&
    (await insertCaptchaPass(ctx.db, {
      pass_hash: hashToken(pass),
      challenge_hash: hashToken(challengeId),
      expires_at: new Date(ctx.now().getTime() + PASS_SECONDS * 1000),
    }));
  if (!stored) throw captchaError();
  return pass;
}

/** Spends a pass. Throws Invalid for a missing or invalid one, unless captchas are off. */
export async function spendPass(ctx: Context, pass: string | undefined): Promise<void> {
  if (ctx.config.captcha.kind === 'off') return;
  const good = pass !== undefined && (await spendCaptchaPass(ctx.db, hashToken(pass), ctx.now()));
  if (!good) throw captchaError();
}

function captchaError(): Invalid {
  return new Invalid([{ field: 'captcha', message: accountMessages.captcha }]);
}

function altchaSecrets(secret: string) {
  return { hmacSignatureSecret: `captcha:${secret}`, hmacKeySignatureSecret: `captcha-key:${secret}` };
}

/** Identifier of the solved challenge; null if the solution is wrong. */
async function challengeSolved({ config }: Context, solution: string): Promise<string | null> {
  switch (config.captcha.kind) {
    case 'off':
      return newSecretToken();
    case 'recaptcha':
      return (await recaptchaSolved(config.captcha.secretKey, solution)) ? solution : null;
    case 'altcha':
      return altchaSolved(config.signingSecret, solution);
  }
}

const AltchaPayload = z.object({
  challenge: z.custom<Challenge>(
    (value) =>
      z.looseObject({ parameters: z.looseObject({}), signature: z.string() }).safeParse(value).success,
  ),
  solution: z.custom<Solution>(
    (value) => z.looseObject({ counter: z.number(), derivedKey: z.string() }).safeParse(value).success,
  ),
});

async function altchaSolved(secret: string, payload: string): Promise<string | null> {
  try {
    const decoded = AltchaPayload.parse(JSON.parse(Buffer.from(payload, 'base64').toString('utf8')));
    const { verified } = await verifySolution({ ...decoded, deriveKey, ...altchaSecrets(secret) });
    return verified ? (decoded.challenge.signature ?? null) : null;
  } catch {
    // Any error on a client's payload means that it is not a solution.
    return null;
  }
}

async function recaptchaSolved(secretKey: string, token: string): Promise<boolean> {
  try {
    const response = await fetch('https://www.google.com/recaptcha/api/siteverify', {
      method: 'POST',
      body: new URLSearchParams({ secret: secretKey, response: token }),
      signal: AbortSignal.timeout(5000),
    });
    return z.object({ success: z.boolean() }).parse(await response.json()).success;
  } catch {
    throw new Unavailable(accountApiMessages.captchaUnavailable);
  }
}

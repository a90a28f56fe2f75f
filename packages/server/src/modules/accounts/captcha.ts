import type { CaptchaChallenge } from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { fetch } from 'undici';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { Invalid, Unavailable } from '../../platform/errors.ts';
import { insertCaptchaPass, spendCaptchaPass } from './session-store.ts';
import { hashToken, newSecretToken } from './tokens.ts';

const CHALLENGE_MINUTES = 10;
/** Seconds that a verified captcha waits for its login or registration. */
export const PASS_SECONDS = 10 * 60;

/** A new challenge of the configured kind. About a third of a second of one core's work for ALTCHA. */
export async function newChallenge({ config, now }: Engines): Promise<CaptchaChallenge> {
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
 * Checks a solution and returns a pass that is good for one login or registration. Throws Invalid when the solution is
 * wrong, late or used before.
 */
export async function verifyCaptcha(engines: Engines, solution: string): Promise<string> {
  const challengeId = await challengeSolved(engines, solution);
  const pass = newSecretToken();
  const stored =
    challengeId !== null &&
    (await insertCaptchaPass(engines.db, {
      pass_hash: hashToken(pass),
      challenge_hash: hashToken(challengeId),
      expires_at: new Date(engines.now().getTime() + PASS_SECONDS * 1000),
    }));
  if (!stored) throw captchaFault();
  return pass;
}

/** Uses up a pass. Throws Invalid without one, unless captchas are off. */
export async function spendPass(engines: Engines, pass: string | undefined): Promise<void> {
  if (engines.config.captcha.kind === 'off') return;
  const good = pass !== undefined && (await spendCaptchaPass(engines.db, hashToken(pass), engines.now()));
  if (!good) throw captchaFault();
}

function captchaFault(): Invalid {
  return new Invalid([{ field: 'captcha', message: messages.captcha }]);
}

function altchaSecrets(secret: string) {
  return { hmacSignatureSecret: `captcha:${secret}`, hmacKeySignatureSecret: `captcha-key:${secret}` };
}

/** The solved challenge's identity, or null when it is not solved. */
async function challengeSolved({ config }: Engines, solution: string): Promise<string | null> {
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
    // Whatever is wrong with a payload from outside, it is not a solution.
    return null;
  }
}

async function recaptchaSolved(secretKey: string, token: string): Promise<boolean> {
  try {
    const answer = await fetch('https://www.google.com/recaptcha/api/siteverify', {
      method: 'POST',
      body: new URLSearchParams({ secret: secretKey, response: token }),
      signal: AbortSignal.timeout(5000),
    });
    return z.object({ success: z.boolean() }).parse(await answer.json()).success;
  } catch {
    throw new Unavailable('The captcha cannot be checked right now. Please try again in a moment.');
  }
}

import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import type { TestApp } from './test-app.ts';

/** A solved captcha in the form that the console's widget sends; `change` can tamper with it first. */
export async function solvedCaptcha(
  app: TestApp,
  change: (payload: { challenge: Challenge }) => void = () => {},
  remoteAddress = '127.0.0.1',
): Promise<string> {
  const response = await app.http.inject({ url: '/api/internal/captcha', remoteAddress });
  const { data } = response.json<{ data: { challenge: Challenge } }>();
  const payload = {
    challenge: data.challenge,
    solution: await solveChallenge({ challenge: data.challenge, deriveKey }),
  };
  change(payload);
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

import { PASS_SECONDS } from '@bidwell/server/modules/identity/captcha';
import { hashToken, newSecretToken } from '@bidwell/server/modules/identity/sessions/access-tokens';
import { insertCaptchaPass } from '@bidwell/server/modules/identity/sessions/session-store';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, freshAddress } from './case.ts';

/** Logins that were made, by any of the functions below. */
let logins = 0;

/** Functions that solve captchas, log in and exceed rate limits. */
export function visitorsOf(app: TestApp) {
  const registration = (login: string) => ({
    login,
    email: 'new@example.com',
    password: 'correct horse',
    first_name: 'New',
    contact: 'none',
  });
  /** The cookie of a solved captcha, which is not solved: that takes half a second by design. */
  async function captchaPass(): Promise<Record<string, string>> {
    const pass = newSecretToken();
    await insertCaptchaPass(app.ctx.db, {
      pass_hash: hashToken(pass),
      challenge_hash: hashToken(newSecretToken()),
      expires_at: new Date(app.clock.now.getTime() + PASS_SECONDS * 1000),
    });
    return { bidwell_captcha: pass };
  }
  /** Makes a call, `POST /api/…`, as often as one IP address may in a minute, and returns the next one, which is rejected. */
  const flooded = (call: string, payload?: object) => async () => {
    const [method, url] = call.split(' ') as ['GET' | 'POST', string];
    const request = { method, url, remoteAddress: freshAddress(), ...(payload && { payload }) };
    for (let times = 0; times < 60; times += 1) await app.http.inject(request);
    return request;
  };
  const freshLogin = () =>
    `visitor.${String.fromCodePoint(97 + Math.floor((logins += 1) / 26), 97 + (logins % 26))}`;
  async function loggedIn(company: TestCompany): Promise<Call> {
    const payload = { login: company.login, password: 'correct horse' };
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/internal/login',
      payload,
      cookies: await captchaPass(),
      remoteAddress: freshAddress(),
    });
    const cookie = response.cookies.find(({ name }) => name === 'bidwell_refresh_token')!;
    return { path: '', cookies: { bidwell_refresh_token: cookie.value } };
  }
  return { registration, captchaPass, flooded, freshLogin, loggedIn };
}

import type { InjectOptions } from 'fastify';
import { solvedCaptcha } from '../captcha.ts';
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
  /** The cookie of a solved captcha. */
  async function captchaPass(): Promise<Record<string, string>> {
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/internal/captcha',
      payload: { captcha: await solvedCaptcha(app, undefined, freshAddress()) },
      remoteAddress: freshAddress(),
    });
    return { bidwell_captcha: response.cookies.find(({ name }) => name === 'bidwell_captcha')!.value };
  }
  /** Makes `times` calls from one IP address and returns the next one, which the rate limit rejects. */
  const flooded = (request: () => InjectOptions, times: number) => async () => {
    const remoteAddress = freshAddress();
    for (let call = 0; call < times; call += 1) await app.http.inject({ ...request(), remoteAddress });
    return { ...request(), remoteAddress };
  };
  /** A case for a call that API tokens may make `times` times a minute. */
  const loginOf = (company: TestCompany) =>
    app.ctx.db
      .selectFrom('users')
      .select('login')
      .where('uuid', '=', company.userId)
      .executeTakeFirstOrThrow()
      .then(({ login }) => login);
  const freshLogin = () =>
    `visitor.${String.fromCodePoint(97 + Math.floor((logins += 1) / 26), 97 + (logins % 26))}`;
  async function loggedIn(company: TestCompany): Promise<Call> {
    const payload = { login: await loginOf(company), password: 'correct horse' };
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
  return { registration, captchaPass, flooded, loginOf, freshLogin, loggedIn };
}

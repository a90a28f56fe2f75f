import type { SsoDomain } from '@bidwell/contract/accounts/single-sign-on';
import { type Body, type Call, freshAddress } from '../api-cases/case.ts';
import { visitorsOf } from '../api-cases/visitors.ts';
import type { Claims, TokenMaker } from './identity-provider.ts';
import type { TestApp, TestCompany } from '../test-app.ts';

const COOKIE = 'bidwell_sso';
let domains = 0;

/** Functions that set single sign-on up and go to its provider. */
export function signOnOf(app: TestApp) {
  const { captchaPass } = visitorsOf(app);
  const provider = app.identityProvider;
  const freshDomain = () => `company${(domains += 1)}.example`;
  const input = (over: Body = {}): Body => ({
    issuer: 'https://id.example',
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    may_join: true,
    ...over,
  });
  /** A mail domain that a company lists, with its DNS record or without. */
  async function listed(
    company: TestCompany,
    { isProven, domain = freshDomain() }: { isProven: boolean; domain?: string },
  ): Promise<SsoDomain> {
    const { data } = await company.call('POST', '/sso/domains', { domain });
    provider.txt.set(domain, isProven ? ['v=spf1 -all', data.txt_record] : []);
    return data;
  }
  /** Sets up a provider and a proven mail domain. */
  async function setUp(company: TestCompany, over: Body = {}): Promise<{ domain: string }> {
    const { uuid, domain } = await listed(company, { isProven: true });
    await company.call('POST', `/sso/domains/${uuid}/verification`);
    await company.call('PUT', '/sso', input(over));
    return { domain };
  }
  /** Begins a sign-in with an address. */
  async function start(email: string) {
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/internal/sso/sign-in',
      payload: { email },
      cookies: app.ctx.config.captcha.kind === 'off' ? {} : await captchaPass(),
      remoteAddress: freshAddress(),
    });
    const secret = response.cookies.find(({ name }) => name === COOKIE)?.value ?? '';
    return {
      status: response.statusCode,
      data: response.json().data,
      cookies: { [COOKIE]: secret },
      setCookies: response.cookies,
    };
  }
  /** The callback of someone who was signed in by the provider of a company; of a person who links their account, if one is given. */
  async function begun(
    { companyId }: TestCompany,
    claims: Claims & { email?: string },
    linking?: TestCompany,
    makeToken?: TokenMaker,
  ): Promise<Call> {
    const { location, cookies } = linking ? await startLinking(linking) : await startAt(String(claims.email));
    const query = provider.authorize(location, claims, makeToken);
    return { path: '/sso/callback', body: { company_uuid: companyId, query }, cookies };
  }
  async function startAt(email: string) {
    const { data, cookies } = await start(email);
    return { location: String(data.location), cookies };
  }
  async function startLinking({ call }: TestCompany) {
    const { data, headers } = await call('POST', '/sso/link');
    const secret = new RegExp(`${COOKIE}=([^;]+)`).exec(String(headers['set-cookie']))![1]!;
    return { location: String(data.location), cookies: { [COOKIE]: secret } };
  }
  /** Comes back from the provider. */
  async function finish({ body, cookies }: Call) {
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/internal/sso/callback',
      payload: body!,
      cookies: cookies!,
      remoteAddress: freshAddress(),
    });
    const { data } = response.json();
    const token = data?.session?.access_token;
    const call: TestCompany['call'] = async (method, path, sent, headers) => {
      const made = await app.http.inject({
        method,
        url: `/api/internal${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(sent && { payload: sent }),
      });
      const answer = made.json();
      return {
        status: made.statusCode,
        data: answer.data,
        errors: answer.errors ?? [],
        headers: made.headers,
      };
    };
    return { status: response.statusCode, data, cookies: response.cookies, call };
  }
  return { freshDomain, input, listed, setUp, start, begun, finish };
}

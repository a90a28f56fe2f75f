import { accountMessages } from '@bidwell/contract/accounts/messages';
import { oidcServer } from '@bidwell/testing/engines/oidc-server';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { testApp } from '@bidwell/testing/test-app';
import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { createProviderFetch } from '../../../platform/outbound/provider-fetch.ts';

const provider = await oidcServer();
const agent = new Agent({ connect: { ca: provider.certificate } });
const app = await testApp({}, undefined, {
  providerFetch: createProviderFetch({ ca: provider.certificate, trustedHosts: new Set([provider.host]) }),
});
const { listed, start, finish } = signOnOf(app);

afterAll(async () => {
  provider.close();
  await agent.destroy();
});

/** A company to which the provider sends people back. */
async function companyWithProvider() {
  const company = await app.freshCompany();
  provider.sendBackTo([`http://bidwell.test/sso/callback/${company.companyId}`]);
  const { uuid, domain } = await listed(company, { isProven: true });
  await company.call('POST', `/sso/domains/${uuid}/verification`);
  const { issuer, clientId, clientSecret } = provider;
  const body = { issuer, client_id: clientId, client_secret: clientSecret, may_join: true };
  expect((await company.call('PUT', '/sso', body)).status).toBe(200);
  return { company, domain };
}

/** Signs in on the provider's pages as a browser does; resolves to the query with which it comes back. */
async function onPages(location: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>) => {
    const { headers, body, statusCode } = await request(url, {
      dispatcher: agent,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { method: 'POST' as const, body: String(new URLSearchParams(form)) }),
    });
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const text = await body.text();
    const next = headers['location'];
    return { statusCode, text, next: next === undefined ? null : new URL(String(next), url).href };
  };
  let address = location;
  for (let step = 0; step < 12; step += 1) {
    if (address.startsWith('http://bidwell.test/')) return new URL(address).search.slice(1);
    const page = await visit(address);
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1];
    const sent =
      action && prompt
        ? await visit(new URL(action, address).href, { prompt, login, password: 'any' })
        : page;
    if (sent.next === null) throw new Error(`The page leads nowhere: ${sent.statusCode} ${sent.text}`);
    address = sent.next;
  }
  throw new Error('Too many pages');
}

test('a person signs in at an OpenID provider over TLS, which sends the address apart from the ID token', async () => {
  const { company, domain } = await companyWithProvider();
  const email = `ada@${domain}`;
  const { data, cookies } = await start(email);
  const query = await onPages(data.location, email);
  const body = { company_uuid: company.companyId, query };
  const signedIn = await finish({ path: '', body, cookies });
  expect(signedIn.status).toBe(200);
  const { people } = (await company.call('GET', '/people')).data;
  expect(people[1]).toMatchObject({ email, first_name: 'Ada', last_name: 'Lovelace', role: 'analyst' });
  const again = await start(email);
  const replayed = {
    ...body,
    query: query.replace(/state=[^&]+/, new URL(again.data.location).search.match(/state=[^&]+/)![0]),
  };
  expect(await finish({ path: '', body: replayed, cookies: again.cookies })).toMatchObject({
    status: 422,
    data: accountMessages.ssoRejected,
  });
});

test('an address that the provider has not verified signs no one in', async () => {
  const { company, domain } = await companyWithProvider();
  const email = `unverified@${domain}`;
  const { data, cookies } = await start(email);
  const query = await onPages(data.location, email);
  const body = { company_uuid: company.companyId, query };
  expect(await finish({ path: '', body, cookies })).toMatchObject({
    status: 422,
    data: accountMessages.ssoMailUnverified,
  });
});

test('a client with a wrong secret signs no one in', async () => {
  const { company, domain } = await companyWithProvider();
  const { issuer, clientId } = provider;
  const wrong = { issuer, client_id: clientId, client_secret: 'another', may_join: true };
  await company.call('PUT', '/sso', wrong);
  const { data, cookies } = await start(`ada@${domain}`);
  const query = await onPages(data.location, `ada@${domain}`);
  const body = { company_uuid: company.companyId, query };
  expect(await finish({ path: '', body, cookies })).toMatchObject({
    status: 422,
    data: accountMessages.ssoRejected,
  });
});

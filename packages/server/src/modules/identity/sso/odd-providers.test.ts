import { accountMessages } from '@bidwell/contract/accounts/messages';
import { type TokenMaker, honestToken } from '@bidwell/testing/sso/identity-provider';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { testApp } from '@bidwell/testing/test-app';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { afterEach, expect, test } from 'vitest';

const app = await testApp({ LOG_LEVEL: 'silent' });
const provider = app.identityProvider;
const { setUp, begun, finish } = signOnOf(app);

afterEach(() => {
  provider.metadata = {};
  provider.intercept = () => undefined;
});

/** Signs a person in at a new company's provider; resolves to 'in' or why not. */
async function signIn(makeToken?: TokenMaker, metadata: Record<string, unknown> = {}) {
  const company = await app.freshCompany();
  provider.metadata = metadata;
  const { domain } = await setUp(company);
  const claims = { sub: `ada at ${domain}`, email: `ada@${domain}`, email_verified: true };
  const { status, data } = await finish(await begun(company, claims, undefined, makeToken));
  return status === 200 ? 'in' : data;
}
const changed =
  (over: Record<string, unknown>): TokenMaker =>
  async (claims, own) =>
    honestToken({ ...claims, ...over }, own);
const seconds = (after: number) => Math.floor(Date.now() / 1000) + after;

test.each([true, 'true', 'True', 1, '1'])('a mail address is verified by %j', async (email_verified) => {
  expect(await signIn(changed({ email_verified }))).toBe('in');
});

test.each([false, 'false', 0, '0', null, '', 'yes', {}, [true], 2])(
  'a mail address is not verified by %j',
  async (email_verified) => {
    expect(await signIn(changed({ email_verified }))).toBe(accountMessages.ssoMailUnverified);
  },
);

test.each([
  ['an audience in a list', { aud: ['bidwell'] }],
  ['several audiences, issued to this client', { aud: ['other', 'bidwell'], azp: 'bidwell' }],
  ['a clock ahead', { iat: seconds(90), nbf: seconds(90) }],
  ['a clock behind', { exp: seconds(-90) }],
  ['fractions of a second', { iat: seconds(0) + 0.25, exp: seconds(300) + 0.5 }],
])('an ID token with %s signs in', async (_what, over) => {
  expect(await signIn(changed(over))).toBe('in');
});

test.each(['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
  'a token is signed by %s, with a key that the provider has since this sign-in, named or the only one',
  async (alg) => {
    for (const kid of ['new', undefined]) {
      let keys: object[] = [];
      provider.intercept = ({ pathname }) =>
        pathname.endsWith('/jwks') ? Response.json({ keys }) : undefined;
      const result = await signIn(
        async (claims) => {
          const made = await generateKeyPair(alg, { extractable: true });
          const jwk = { ...(await exportJWK(made.publicKey)), use: 'sig', ...(kid && { kid }) };
          const others = [
            { ...provider.keys.jwk, kid: 'old' },
            { kty: 'oct', k: 'AAAA' },
            { kty: 'unknown' },
          ];
          keys = kid ? [...others, jwk] : [jwk];
          return new SignJWT(claims).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(made.privateKey);
        },
        { id_token_signing_alg_values_supported: ['RS256', alg] },
      );
      expect([kid, result]).toEqual([kid, 'in']);
    }
  },
);

test('a provider may send null for fields that it does not have', async () => {
  const { providerFetch } = provider.options;
  const intercept: typeof provider.intercept = async (url, request) => {
    provider.intercept = () => undefined;
    const response = await providerFetch('', url.href, request);
    provider.intercept = choose;
    return Response.json({
      ...((await response.json()) as object),
      scope: null,
      expires_in: null,
      refresh_token: null,
    });
  };
  const choose: typeof provider.intercept = (url, request) =>
    url.pathname === '/token' ? intercept(url, request) : undefined;
  provider.intercept = choose;
  expect(await signIn()).toBe('in');
});

/** The information of the user as a signed token, with the address that the ID token lacks. */
async function withSignedUser(over: object, metadata: Record<string, unknown> = {}, sign = honestToken) {
  const userOf = async (claims: Parameters<TokenMaker>[0]): Promise<Response> => {
    const { iss, aud, sub, email } = claims;
    const token = await sign({ iss, aud, sub, email, email_verified: true, ...over }, provider);
    return new Response(token, { headers: { 'content-type': 'application/jwt' } });
  };
  return signIn(async (claims, own) => {
    provider.intercept = (url) => (url.pathname === '/userinfo' ? userOf(claims) : undefined);
    return honestToken({ ...claims, email: undefined, email_verified: undefined }, own);
  }, metadata);
}

test('the information of the user may be a signed token, by a key of the provider and for this client', async () => {
  expect(await withSignedUser({})).toBe('in');
  const algorithms = (...names: string[]) => ({ userinfo_signing_alg_values_supported: names });
  expect(await withSignedUser({}, algorithms('none', 'ES256'))).toBe('in');
  expect(await withSignedUser({}, algorithms('none', 'HS256'))).toBe(accountMessages.ssoRejected);
  for (const over of [{ sub: 'victim' }, { aud: 'another' }, { iss: 'https://evil.example' }])
    expect([over, await withSignedUser(over)]).toEqual([over, accountMessages.ssoRejected]);
  const foreign: TokenMaker = async (claims, { keys }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: keys.jwk.kid! })
      .sign((await generateKeyPair('ES256')).privateKey);
  expect(await withSignedUser({}, {}, foreign)).toBe(accountMessages.ssoRejected);
});

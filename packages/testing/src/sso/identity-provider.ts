import type { ProviderFetch, ProviderRequest } from '@bidwell/server/platform/outbound/provider-fetch';
import { type CryptoKey, type JWK, SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { createHash, randomUUID } from 'node:crypto';

/** Claims of the person who signs in. */
export type Claims = Record<string, unknown> & { sub: string };

/** Signs the ID token in place of the provider; its claims are the ones of an honest provider. */
export type TokenMaker = (claims: Claims, provider: IdentityProvider) => Promise<string>;

interface Grant {
  request: URLSearchParams;
  claims: Claims;
  makeToken: TokenMaker;
}

/**
 * OpenID providers in memory, one for each host that ends with `.example`, and the DNS TXT records of mail domains. They check what a provider
 * checks: client, redirect address, PKCE and that a code is used once. A test may change any part of an answer.
 */
export class IdentityProvider {
  readonly clientId = 'bidwell';
  readonly clientSecret = 'a-secret_with.*~ + and : in it';
  /** How it takes the client's secret. */
  secretForm: 'basic' | 'raw' | 'post' = 'basic';
  /** The status of its answer to another form. */
  refusedStatus = 400;
  /** The ways in which clients sent their secret. */
  readonly proofs: string[] = [];
  readonly keys: { key: CryptoKey; jwk: JWK };
  /** TXT records by domain. */
  readonly txt = new Map<string, string[]>();
  /** Addresses that were requested, as `METHOD address`. */
  readonly requests: string[] = [];
  /** Fields of the metadata that differ from the usual ones. */
  metadata: Record<string, unknown> = {};
  /** The response of the user information address. */
  userInfo: Record<string, unknown> = {};
  /** Answers in place of the provider, where it returns something. */
  intercept: (url: URL, request: ProviderRequest) => Promise<Response> | Response | undefined = () =>
    undefined;
  readonly #grants = new Map<string, Grant>();

  constructor(keys: IdentityProvider['keys']) {
    this.keys = keys;
  }

  readonly #fetch: ProviderFetch = async (_companyId, address, request) => {
    const url = new URL(address);
    this.requests.push(`${request.method} ${address}`);
    const intercepted = await this.intercept(url, request);
    if (intercepted) return intercepted;
    const path = url.pathname;
    if (path.endsWith('/.well-known/openid-configuration')) return Response.json(this.#metadataOf(url));
    if (path.endsWith('/jwks')) return Response.json({ keys: [this.keys.jwk] });
    if (path.endsWith('/userinfo')) return Response.json(this.userInfo);
    if (path.endsWith('/token')) return this.#token(request);
    return new Response('not found', { status: 404 });
  };

  /** The settings of a server that reaches only these providers. */
  readonly options = {
    providerFetch: this.#fetch,
    resolveTxt: async (domain: string) => this.txt.get(domain) ?? [],
  };

  /** Signs in a person who was sent to `location`; resolves to the query with which the browser returns. */
  authorize(location: string, claims: Claims, makeToken: TokenMaker = honestToken): string {
    const { origin, searchParams: request } = new URL(location);
    const code = randomUUID();
    this.#grants.set(code, {
      request,
      claims: {
        iss: origin,
        aud: request.get('client_id'),
        nonce: request.get('nonce'),
        iat: nowSeconds(),
        exp: nowSeconds() + 300,
        ...claims,
      },
      makeToken,
    });
    return String(new URLSearchParams({ code, state: request.get('state')!, iss: origin }));
  }

  #metadataOf({ origin }: URL): Record<string, unknown> {
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      userinfo_endpoint: `${origin}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // A provider may list what must never be accepted.
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  async #token({ headers, body = '' }: ProviderRequest): Promise<Response> {
    const sent = new URLSearchParams(body);
    const encoded = [this.clientId, this.clientSecret].map((part) =>
      new URLSearchParams({ part }).toString().slice('part='.length),
    );
    const header =
      Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
    const basic = Buffer.from(header.replace('Basic ', ''), 'base64').toString();
    const verifier = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const proofs = {
      basic: basic === encoded.join(':'),
      raw: basic === `${this.clientId}:${this.clientSecret}`,
      post: sent.get('client_id') === this.clientId && sent.get('client_secret') === this.clientSecret,
    };
    this.proofs.push(...(header === '' ? ['post'] : ['basic']));
    if (!proofs[this.secretForm])
      return Response.json({ error: 'invalid_client' }, { status: this.refusedStatus });
    const grant = this.#grants.get(sent.get('code') ?? '');
    this.#grants.delete(sent.get('code') ?? '');
    if (
      !grant ||
      grant.request.get('code_challenge') !== verifier ||
      grant.request.get('code_challenge_method') !== 'S256' ||
      grant.request.get('redirect_uri') !== sent.get('redirect_uri')
    )
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const id_token = await grant.makeToken(grant.claims, this);
    return Response.json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token });
  }
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

export const honestToken: TokenMaker = async (claims, { keys }) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: keys.jwk.kid! }).sign(keys.key);

/** Providers with a new key. */
export async function identityProvider(): Promise<IdentityProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return new IdentityProvider({ key: privateKey, jwk: { ...jwk, kid, alg: 'ES256', use: 'sig' } });
}

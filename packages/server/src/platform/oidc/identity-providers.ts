import { asciiAddress } from '@bidwell/contract/accounts/domain';
import * as oidc from 'openid-client';
import { type ProviderFetch, ProviderUnavailable } from '../outbound/provider-fetch.ts';
import { TtlCache } from '../ttl-cache.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** A company's client at an OpenID provider. */
export interface OidcClient {
  companyId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** The values that bind a provider's response to the sign-in that requested it. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/** Who signed in, as the provider says. */
export interface Identity {
  issuer: string;
  /** Never reassigned by the issuer (section 2 of OpenID Connect Core). */
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  firstName: string;
  lastName: string;
}

/**
 * Why a sign-in failed at the provider: it is `unavailable`; it `denied` the person; or its response is `rejected`, since a check of the
 * protocol failed.
 */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure';
  readonly reason: 'unavailable' | 'denied' | 'rejected';
  /** The issuer that the metadata names, where it is another one than was asked; an address over https. */
  readonly namedIssuer: string | null;
  constructor(reason: OidcFailure['reason'], cause: unknown, namedIssuer: string | null = null) {
    super(cause instanceof Error ? cause.message : reason, { cause });
    this.reason = reason;
    this.namedIssuer = namedIssuer;
  }
}

/** OpenID providers, as their client (OpenID Connect Core 1.0, code flow with PKCE). All methods throw {@link OidcFailure}. */
export interface IdentityProviders {
  /**
   * Asks an issuer for its metadata, not from the cache. Resolves to the issuer as it names itself, which may have a final slash or not where
   * `issuer` does otherwise.
   */
  discover(companyId: string, issuer: string): Promise<string>;
  /** The address to which the browser goes to sign in. */
  authorizationUrl(
    client: OidcClient,
    request: { redirectUri: string; secrets: SignInSecrets; email: string | null },
  ): Promise<string>;
  /** Exchanges the code in the query of the response, and verifies who signed in. */
  identify(
    client: OidcClient,
    response: { redirectUri: string; query: string; secrets: SignInSecrets },
  ): Promise<Identity>;
}

/** Only signatures by a key that the provider publishes: none, and not one by the client's secret, which the owner knows. */
const ALGORITHMS = [
  'RS256',
  'PS256',
  'ES256',
  'RS384',
  'PS384',
  'ES384',
  'RS512',
  'PS512',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const METADATA_KEPT_MS = 10 * 60_000;
const METADATA_MAX = 500;
/** Seconds for each request, more than the fetch below waits. */
const REQUEST_SECONDS = 10;
/** A provider's clock may be ahead by this. */
const CLOCK_TOLERANCE_SECONDS = 120;
/** Most clients for which the process remembers how the provider takes their secret. */
const REMEMBERED_MAX = 1000;

/** Creates a client of all providers, whose metadata it keeps for ten minutes. */
export function createIdentityProviders(fetch: ProviderFetch): IdentityProviders {
  const cache = new TtlCache<oidc.ServerMetadata>(METADATA_KEPT_MS, METADATA_MAX);
  /** How the provider took the secret of a client at its last sign-in. */
  const taken = new Map<string, SecretForm>();
  // By company too: a response of one company's provider must not serve another company with the same issuer.
  const metadataOf = async ({ companyId, issuer }: OidcClient) =>
    cache.get(`${companyId} ${issuer}`, () => readMetadata(fetch, companyId, issuer));

  /** Exchanges a code, with the secret in the form that the provider takes: one that it refuses leaves the code as it is. */
  const exchange = async <T>(
    client: OidcClient,
    grant: (config: oidc.Configuration) => Promise<T>,
  ): Promise<T> => {
    const metadata = await metadataOf(client);
    const key = `${client.companyId} ${client.issuer} ${client.clientId}`;
    const known = taken.get(key);
    const forms = [...new Set([...(known ? [known] : []), ...secretForms(metadata)])];
    for (const [index, form] of forms.entries()) {
      try {
        const result = await grant(configurationOf(fetch, client, metadata, form));
        taken.delete(key);
        taken.set(key, form);
        if (taken.size > REMEMBERED_MAX) taken.delete(taken.keys().next().value!);
        return result;
      } catch (error) {
        if (index === forms.length - 1 || !isClientRefused(error)) throw error;
      }
    }
    throw new Error('There is no form of a secret');
  };
  return {
    async discover(companyId, issuer) {
      try {
        return (await readMetadata(fetch, companyId, issuer)).issuer;
      } catch (error) {
        const { namedIssuer: named = null } = error as Partial<OidcFailure>;
        if (named === null || withoutSlash(named) !== withoutSlash(issuer)) throw error;
        return (await readMetadata(fetch, companyId, named)).issuer;
      }
    },
    async authorizationUrl(client, { redirectUri, secrets, email }) {
      const metadata = await metadataOf(client);
      const url = oidc.buildAuthorizationUrl(configurationOf(fetch, client, metadata, 'basic'), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        ...(email !== null && { login_hint: email }),
      });
      return url.href;
    },
    async identify(client, { redirectUri, query, secrets }) {
      try {
        const { tokens, config } = await exchange(client, async (configuration) => ({
          config: configuration,
          tokens: await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
            pkceCodeVerifier: secrets.verifier,
            expectedState: secrets.state,
            expectedNonce: secrets.nonce,
            idTokenExpected: true,
          }),
        }));
        const claims = tokens.claims()!;
        return identityOf({ ...claims, ...(await missingClaims(config, claims, tokens.access_token)) });
      } catch (error) {
        if (error instanceof OidcFailure) throw error;
        throw failureOf(error);
      }
    },
  };
}

async function readMetadata(
  fetch: ProviderFetch,
  companyId: string,
  issuer: string,
): Promise<oidc.ServerMetadata> {
  let named: string | null = null;
  const send = fetchOf(fetch, companyId);
  try {
    const config = await oidc.discovery(new URL(issuer), 'discovery', undefined, oidc.None(), {
      async [oidc.customFetch](url, options) {
        const response = await send(url, options);
        named = await issuerIn(response.clone());
        return response;
      },
      timeout: REQUEST_SECONDS,
    });
    const { supportsPKCE: _helper, ...metadata } = config.serverMetadata();
    assertUsable(metadata, issuer);
    return metadata;
  } catch (error) {
    const { reason } = failureOf(error);
    throw new OidcFailure(reason, error, named === issuer ? null : named);
  }
}

function withoutSlash(issuer: string): string {
  let end = issuer.length;
  while (issuer[end - 1] === '/') end -= 1;
  return issuer.slice(0, end);
}

/** The issuer that metadata name, if it is an address over https. */
async function issuerIn(response: Response): Promise<string | null> {
  const metadata = (await response.json().catch(() => null)) as { issuer?: unknown } | null;
  const issuer = metadata?.issuer;
  return typeof issuer === 'string' &&
    issuer.length <= 500 &&
    /^https:\/\/[^\s?#@]+$/.test(issuer) &&
    canParseUrl(issuer)
    ? issuer
    : null;
}

/** How a client proves itself by its secret: section 2.3.1 of RFC 6749, and `raw`, which many providers expect in place of its encoding. */
type SecretForm = 'basic' | 'raw' | 'post';

/** The forms to try, the ones that the provider names first. Pure. */
function secretForms({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata): SecretForm[] {
  const takesBasic = methods?.includes('client_secret_basic') ?? true;
  return takesBasic || !methods?.includes('client_secret_post')
    ? ['basic', 'raw', 'post']
    : ['post', 'basic', 'raw'];
}

/** Whether the provider did not accept the client (section 5.2 of RFC 6749), so that it did not check the code. */
function isClientRefused(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return true;
  return (
    error instanceof oidc.ResponseBodyError && (error.error === 'invalid_client' || error.status === 401)
  );
}

/** Encodes a text as `application/x-www-form-urlencoded` does, which leaves `-`, `_`, `.` and `*` as they are. Pure. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

function secretIn(form: SecretForm, clientSecret: string): oidc.ClientAuth {
  if (form === 'post') return oidc.ClientSecretPost(clientSecret);
  const encoded = form === 'basic' ? formEncoded : (text: string) => text;
  return (_server, { client_id: clientId }, _body, headers) => {
    const credentials = `${encoded(clientId)}:${encoded(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };
}

/** Throws for metadata of another issuer, which some providers may send, and without the addresses that a sign-in needs. */
function assertUsable(metadata: oidc.ServerMetadata, issuer: string): void {
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new Error('The issuer is another one');
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const address = metadata[name];
    if (typeof address !== 'string' || !canParseUrl(address) || new URL(address).protocol !== 'https:')
      throw new Error(`The provider has no ${name} over https`);
  }
}

function configurationOf(
  fetch: ProviderFetch,
  { companyId, clientId, clientSecret }: OidcClient,
  metadata: oidc.ServerMetadata,
  form: SecretForm,
): oidc.Configuration {
  const {
    id_token_signing_alg_values_supported: ofTokens = ['RS256'],
    // Few providers list them, though some sign their data on the user.
    userinfo_signing_alg_values_supported: ofUsers = ALGORITHMS,
  } = metadata;
  const config = new oidc.Configuration(
    {
      ...metadata,
      id_token_signing_alg_values_supported: ofTokens.filter((alg) => ALGORITHMS.includes(alg)),
      userinfo_signing_alg_values_supported: ofUsers.filter((alg) => ALGORITHMS.includes(alg)),
    },
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    secretIn(form, clientSecret),
  );
  config[oidc.customFetch] = fetchOf(fetch, companyId);
  config.timeout = REQUEST_SECONDS;
  // Signatures are verified although the token comes over TLS from the provider itself.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

function fetchOf(fetch: ProviderFetch, companyId: string): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await fetch(companyId, url, {
      method,
      headers,
      // The library sends forms only.
      body: body instanceof URLSearchParams ? body.toString() : undefined,
      signal,
    });
    return method === 'POST' ? withoutNulls(response) : response;
  };
}

/** A response whose members that are null are left out, as some providers send null for absent ones. */
async function withoutNulls(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  return new Response(text === '' ? null : jsonWithoutNulls(text), { status, headers });
}

function jsonWithoutNulls(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)));
  } catch {
    return text;
  }
}

const isMicrosoft = (issuer: unknown) =>
  typeof issuer === 'string' && issuer.startsWith('https://login.microsoftonline.com/');

/** Claims of the mail address, of providers that send them apart from the ID token (section 5.4 of OpenID Connect Core). */
async function missingClaims(
  config: oidc.Configuration,
  claims: oidc.IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  // Microsoft's claim is about the address in the ID token.
  const isComplete = claims['email_verified'] !== undefined || isMicrosoft(claims.iss);
  if (isComplete || !config.serverMetadata().userinfo_endpoint) return {};
  const { email, email_verified, given_name, family_name } = await oidc.fetchUserInfo(
    config,
    accessToken,
    claims.sub,
  );
  // Together, since the verification applies to the address in the same response.
  return { email, email_verified, given_name, family_name };
}

/** A subject is of at most 255 ASCII characters (section 2 of OpenID Connect Core). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Throws for a subject that the protocol does not allow. */
function identityOf(claims: Record<string, unknown>): Identity {
  const text = (name: string) => textOf(claims[name]);
  if (!SUBJECT.test(text('sub'))) throw new Error('The subject is not one of the protocol');
  return {
    issuer: text('iss'),
    subject: text('sub'),
    email: asciiAddress(text('email')) || null,
    isEmailVerified: isEmailVerified(claims),
    firstName: text('given_name'),
    lastName: text('family_name'),
  };
}

/**
 * Whether the provider vouches for the address. Google does so for a domain only for accounts of its Workspace, whose claim `hd` names
 * it: others once had the mailbox. Microsoft says it by `xms_edov`, and never by `email_verified`.
 */
function isEmailVerified(claims: Record<string, unknown>): boolean {
  const { iss, hd, email } = claims;
  if (typeof email !== 'string') return false;
  const isSaid = isTrue(claims['email_verified']);
  if (iss === 'https://accounts.google.com')
    return isSaid && typeof hd === 'string' && email.toLowerCase().endsWith(`@${hd.toLowerCase()}`);
  if (isMicrosoft(iss)) return isTrue(claims['xms_edov']);
  return isSaid;
}

/** Whether a claim is true; some providers send it as a text, such as Cognito, or as a number. */
function isTrue(claim: unknown): boolean {
  return claim === true || /^(?:true|1)$/i.test(typeof claim === 'number' ? String(claim) : textOf(claim));
}

const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim : '');

/** Errors of the provider by which it says that it did not sign the person in (section 3.1.2.6 of OpenID Connect Core). */
const DENIALS: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);

function failureOf(error: unknown): OidcFailure {
  if (error instanceof oidc.AuthorizationResponseError && DENIALS.has(error.error))
    return new OidcFailure('denied', error);
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderUnavailable || cause.name === 'TimeoutError')
      return new OidcFailure('unavailable', error);
  return new OidcFailure('rejected', error);
}

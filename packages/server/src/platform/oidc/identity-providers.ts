import * as oidc from 'openid-client';
import { type ProviderFetch, ProviderUnavailable } from '../outbound/provider-fetch.ts';
import { TtlCache } from '../ttl-cache.ts';

/** What a company's client at an OpenID provider is. */
export interface OidcClient {
  companyId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What binds the response of a provider to the sign-in that asked for it. */
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
  constructor(reason: OidcFailure['reason'], cause: unknown) {
    super(cause instanceof Error ? cause.message : reason, { cause });
    this.reason = reason;
  }
}

/** OpenID providers, as their client (OpenID Connect Core 1.0, code flow with PKCE). All methods throw {@link OidcFailure}. */
export interface IdentityProviders {
  /** Asks an issuer for its metadata, not from the cache. Resolves to the issuer as it names itself. */
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
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512', 'EdDSA'];

const METADATA_KEPT_MS = 10 * 60_000;
const METADATA_MAX = 500;
/** Seconds for each request, more than the fetch below waits. */
const REQUEST_SECONDS = 10;
const CLOCK_TOLERANCE_SECONDS = 30;

/** Creates a client of all providers, whose metadata it keeps for ten minutes. */
export function createIdentityProviders(fetch: ProviderFetch): IdentityProviders {
  const cache = new TtlCache<oidc.ServerMetadata>(METADATA_KEPT_MS, METADATA_MAX);
  const configured = async (client: OidcClient) => {
    // By company too: what one company's provider answers is of no use to another one with the same issuer.
    const metadata = await cache.get(`${client.companyId} ${client.issuer}`, () =>
      readMetadata(fetch, client.companyId, client.issuer),
    );
    return configurationOf(fetch, client, metadata);
  };
  return {
    discover: async (companyId, issuer) => (await readMetadata(fetch, companyId, issuer)).issuer,
    async authorizationUrl(client, { redirectUri, secrets, email }) {
      const config = await configured(client);
      const url = oidc.buildAuthorizationUrl(config, {
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
      const config = await configured(client);
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          pkceCodeVerifier: secrets.verifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        return identityOf({ ...claims, ...(await missingClaims(config, claims, tokens.access_token)) });
      } catch (error) {
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
  try {
    const config = await oidc.discovery(new URL(issuer), 'discovery', undefined, oidc.None(), {
      [oidc.customFetch]: fetchOf(fetch, companyId),
      timeout: REQUEST_SECONDS,
    });
    const { supportsPKCE: _helper, ...metadata } = config.serverMetadata();
    assertUsable(metadata, issuer);
    return metadata;
  } catch (error) {
    throw failureOf(error);
  }
}

/** Throws for metadata of another issuer, which some providers may send, and without the addresses that a sign-in needs. */
function assertUsable(metadata: oidc.ServerMetadata, issuer: string): void {
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new Error('The issuer is another one');
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const address = metadata[name];
    if (typeof address !== 'string' || !URL.canParse(address) || new URL(address).protocol !== 'https:')
      throw new Error(`The provider has no ${name} over https`);
  }
}

function configurationOf(
  fetch: ProviderFetch,
  { companyId, clientId, clientSecret }: OidcClient,
  metadata: oidc.ServerMetadata,
): oidc.Configuration {
  const listed = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
  const config = new oidc.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: listed.filter((alg) => ALGORITHMS.includes(alg)) },
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authentication,
  );
  config[oidc.customFetch] = fetchOf(fetch, companyId);
  config.timeout = REQUEST_SECONDS;
  // Signatures are verified although the token comes over TLS from the provider itself.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

function fetchOf(fetch: ProviderFetch, companyId: string): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) =>
    fetch(companyId, url, {
      method,
      headers,
      // The library sends forms only.
      body: body instanceof URLSearchParams ? body.toString() : undefined,
      signal,
    });
}

const isMicrosoft = (issuer: unknown) =>
  typeof issuer === 'string' && issuer.startsWith('https://login.microsoftonline.com/');

/** Claims of the mail address, of providers that send them apart from the ID token (section 5.4 of OpenID Connect Core). */
async function missingClaims(
  config: oidc.Configuration,
  claims: oidc.IDToken,
  accessToken: string,
): Promise<Record<string, unknown>> {
  // What Microsoft says of an address is of the ID token's.
  const isComplete = claims['email_verified'] !== undefined || isMicrosoft(claims.iss);
  if (isComplete || !config.serverMetadata().userinfo_endpoint) return {};
  const { email, email_verified, given_name, family_name } = await oidc.fetchUserInfo(
    config,
    accessToken,
    claims.sub,
  );
  // Together, since what is verified is the address of the same response.
  return { email, email_verified, given_name, family_name };
}

/** A subject is of at most 255 ASCII characters (section 2 of OpenID Connect Core). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Throws for a subject that the protocol does not allow. */
function identityOf(claims: Record<string, unknown>): Identity {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
  if (!SUBJECT.test(text('sub'))) throw new Error('The subject is not one of the protocol');
  return {
    issuer: text('iss'),
    subject: text('sub'),
    email: text('email') || null,
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
  const isSaid = claims['email_verified'] === true;
  if (iss === 'https://accounts.google.com')
    return isSaid && typeof hd === 'string' && email.toLowerCase().endsWith(`@${hd.toLowerCase()}`);
  if (isMicrosoft(iss)) return [true, 1, '1', 'true'].includes(claims['xms_edov'] as never);
  return isSaid;
}

/** Errors of the provider by which it says that it did not sign somebody in (section 3.1.2.6 of OpenID Connect Core). */
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

import { type JWK, exportJWK, generateKeyPair } from 'jose';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { selfSigned } from './certificate.ts';

/** An OpenID provider on this machine, over TLS. */
export interface OidcServer {
  issuer: string;
  /** As `host:port`. */
  host: string;
  /** The certificate, which is its own authority. */
  certificate: string;
  clientId: string;
  clientSecret: string;
  /** Sends browsers back to these addresses from now on, and to no others; before the first call there is no provider. */
  sendBackTo(redirectUris: readonly string[]): void;
  close(): void;
}

const client = { clientId: 'bidwell', clientSecret: 'secret-of-the-tests' };

/**
 * Starts an OpenID provider (oidc-provider) with one client, whose page signs anyone in with any password: a mail address that is verified
 * unless it begins with “unverified”.
 */
export async function oidcServer(): Promise<OidcServer> {
  const certificate = selfSigned(['localhost']);
  const server = createServer(certificate).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const issuer = `https://${host}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' };
  return {
    issuer,
    host,
    certificate: certificate.cert,
    ...client,
    sendBackTo(redirectUris) {
      const respond = providerOf(issuer, key, redirectUris).callback();
      server.removeAllListeners('request');
      server.on('request', (request, response) => void respond(request, response));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function providerOf(issuer: string, key: JWK, redirectUris: readonly string[]): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['of the tests'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: id,
        email_verified: !id.startsWith('unverified'),
        given_name: 'Ada',
        family_name: 'Lovelace',
      }),
    }),
  });
}

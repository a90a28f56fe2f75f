import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  OwnSso,
  SsoCallback,
  SsoDomain,
  SsoDomainInput,
  SsoInput,
  SsoLocation,
  SsoOutcome,
  SsoSettings,
  SsoSignIn,
  ssoVersion,
} from './single-sign-on.ts';

export const readSso = endpoint('GET /sso', {
  companyPermission: 'sso.read',
  summary: 'Read the single sign-on of the company',
  version: ssoVersion,
  response: { 200: envelope(SsoSettings) },
});

/** The server fetches the provider's metadata before it stores anything. */
export const putSso = endpoint('PUT /sso', {
  companyPermission: 'sso.write',
  summary: 'Set the provider of single sign-on; another issuer ends the sessions that the former began',
  body: SsoInput,
  version: ssoVersion,
  response: { 200: envelope(SsoSettings), ...limited },
});

export const deleteSso = endpoint('DELETE /sso', {
  companyPermission: 'sso.write',
  summary: 'Remove the provider of single sign-on, and end the sessions that it began',
  version: ssoVersion,
  response: { 200: envelope(SsoSettings) },
});

export const addSsoDomain = endpoint('POST /sso/domains', {
  companyPermission: 'sso.write',
  summary: 'List a mail domain, to be proven by a DNS TXT record',
  body: SsoDomainInput,
  response: { 201: envelope(SsoDomain), ...conflict },
});

export const verifySsoDomain = endpoint('POST /sso/domains/:uuid/verification', {
  companyPermission: 'sso.write',
  summary: 'Look for the DNS TXT record of a mail domain',
  response: { 200: envelope(SsoDomain), ...conflict, ...limited },
});

export const removeSsoDomain = endpoint('DELETE /sso/domains/:uuid', {
  companyPermission: 'sso.write',
  summary: 'Give a mail domain up',
  response: { 200: envelope(z.object({ removed: z.literal(true) })) },
});

export const readOwnSso = endpoint('GET /sso/link', {
  companyPermission: 'sign_in.read',
  summary: 'Read whether the caller can sign in by single sign-on',
  response: { 200: envelope(OwnSso) },
});

export const linkSso = endpoint('POST /sso/link', {
  companyPermission: 'sign_in.write',
  summary: "Begin to link the caller's account with their identity at the company's provider",
  response: { 200: envelope(SsoLocation), ...conflict, ...limited },
});

export const startSso = endpoint('POST /sso/sign-in', {
  summary:
    'Begin single sign-on; the response says nothing of the person, only where their mail domain signs in',
  isPublic: true,
  body: SsoSignIn,
  response: { 200: envelope(SsoLocation), ...limited },
});

export const finishSso = endpoint('POST /sso/callback', {
  summary: 'Complete single sign-on in the browser that began it',
  isPublic: true,
  body: SsoCallback,
  response: { 200: envelope(SsoOutcome), ...conflict, ...limited },
});

import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  CodeInput,
  Confirmation,
  ConfirmedUntil,
  NewAuthenticator,
  RecoveryCodes,
  SecondFactors,
  SignInSession,
} from './sign-in.ts';
import { SessionTokens } from './schema.ts';

export const listSessions = endpoint('GET /account/sessions', {
  companyPermission: 'sign_in.read',
  summary: 'List where the caller is logged in',
  response: { 200: envelope(ConfirmedUntil.extend({ sessions: z.array(SignInSession) })) },
});

export const endSession = endpoint('DELETE /account/sessions/:uuid', {
  companyPermission: 'sign_in.write',
  summary: 'End a session of the caller',
  response: { 200: envelope(z.object({ ended: z.literal(true) })) },
});

export const endOtherSessions = endpoint('DELETE /account/sessions', {
  companyPermission: 'sign_in.write',
  summary: 'End all sessions of the caller but this one',
  response: { 200: envelope(z.object({ ended: z.number().int() })) },
});

export const confirm = endpoint('POST /account/confirmation', {
  companyPermission: 'sign_in.write',
  summary: 'Prove again who makes the calls of the session, before changes of how one signs in',
  body: Confirmation,
  response: { 200: envelope(ConfirmedUntil), ...limited },
});

export const readSecondFactors = endpoint('GET /account/second-factors', {
  companyPermission: 'sign_in.read',
  summary: 'Read how the caller signs in, in addition to the password',
  response: { 200: envelope(SecondFactors) },
});

export const startAuthenticator = endpoint('POST /account/authenticator', {
  companyPermission: 'sign_in.write',
  summary: 'Get a secret for an authenticator app',
  response: { 200: envelope(NewAuthenticator), ...conflict },
});

export const enableAuthenticator = endpoint('PUT /account/authenticator', {
  companyPermission: 'sign_in.write',
  summary: 'Ask for codes of the authenticator app from the next login on; the response has recovery codes',
  body: CodeInput,
  response: { 200: envelope(RecoveryCodes), ...conflict, ...limited },
});

export const removeAuthenticator = endpoint('DELETE /account/authenticator', {
  companyPermission: 'sign_in.write',
  summary: 'Log in with the password alone again',
  response: { 200: envelope(z.object({ removed: z.literal(true) })), ...conflict },
});

export const renewRecoveryCodes = endpoint('POST /account/recovery-codes', {
  companyPermission: 'sign_in.write',
  summary: 'Get new recovery codes in place of the present ones',
  response: { 200: envelope(RecoveryCodes), ...conflict },
});

/** The cookie of the response to the password says whose login it is. */
export const passSecondFactor = endpoint('POST /login/second-factor', {
  summary: 'Complete a login with a code of the authenticator app, or a recovery code',
  isPublic: true,
  body: CodeInput,
  response: { 200: envelope(SessionTokens), ...limited },
});

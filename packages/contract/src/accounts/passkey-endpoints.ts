import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { Failure, envelope } from '../lib/wire.ts';
import {
  AddedPasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyLogin,
  PasskeyName,
  RequestOptions,
} from './passkey.ts';
import { SessionTokens } from './schema.ts';

export const listPasskeys = endpoint('GET /account/passkeys', {
  companyPermission: 'sign_in.read',
  summary: 'List the passkeys of the caller',
  response: { 200: envelope(z.array(Passkey)) },
});

export const startPasskey = endpoint('POST /account/passkeys/creation', {
  companyPermission: 'sign_in.write',
  summary: 'Get the options with which the browser makes a passkey',
  response: { 200: envelope(CreationOptions), ...conflict },
});

export const addPasskey = endpoint('POST /account/passkeys', {
  companyPermission: 'sign_in.write',
  summary: 'Add a passkey; with the first second factor the response has recovery codes',
  body: NewPasskey,
  answersSecret: true,
  response: { 201: envelope(AddedPasskey), ...conflict },
});

export const renamePasskey = endpoint('PUT /account/passkeys/:uuid', {
  companyPermission: 'sign_in.write',
  summary: 'Rename a passkey',
  body: PasskeyName,
  response: { 200: envelope(Passkey) },
});

export const removePasskey = endpoint('DELETE /account/passkeys/:uuid', {
  companyPermission: 'sign_in.write',
  summary: 'Remove a passkey',
  response: { 200: envelope(z.object({ removed: z.literal(true) })), ...conflict },
});

export const startPasskeyConfirmation = endpoint('POST /account/confirmation/passkey', {
  companyPermission: 'sign_in.write',
  summary: 'Get the options with which the browser proves by a passkey who makes the calls of the session',
  response: { 200: envelope(RequestOptions), ...conflict },
});

export const startPasskeyLogin = endpoint('POST /login/passkey/options', {
  summary: 'Get the options with which the browser logs in by a passkey alone',
  isPublic: true,
  response: { 200: envelope(RequestOptions), ...limited },
});

/** The cookie of the response with the options binds them to the browser. */
export const logInByPasskey = endpoint('POST /login/passkey', {
  summary: 'Log in by a passkey alone',
  isPublic: true,
  body: PasskeyLogin,
  response: { 200: envelope(SessionTokens), ...limited },
});

export const startPasskeyFactor = endpoint('POST /login/second-factor/passkey/options', {
  summary: 'Get the options with which the browser completes a login by a passkey',
  isPublic: true,
  response: { 200: envelope(RequestOptions), ...conflict, 422: Failure, ...limited },
});

/** The cookie of the response to the password says whose login it is. */
export const passPasskeyFactor = endpoint('POST /login/second-factor/passkey', {
  summary: 'Complete a login by a passkey',
  isPublic: true,
  body: PasskeyLogin,
  response: { 200: envelope(SessionTokens), ...limited },
});

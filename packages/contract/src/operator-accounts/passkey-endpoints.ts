import { z } from 'zod';
import {
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyLogin,
  PasskeyName,
  RequestOptions,
} from '../accounts/passkey.ts';
import { conflict, endpoint, limited, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { OperatorAccount } from './schema.ts';

// Paths are relative to the operator's API. The holder of OPERATOR_TOKEN has no account and gets 404.

export const listOperatorPasskeys = endpoint('GET /session/passkeys', {
  permission: 'session.own',
  summary: 'List the passkeys of the operator',
  response: { 200: envelope(z.array(Passkey)), ...missing },
});

export const startOperatorPasskey = endpoint('POST /session/passkeys/creation', {
  permission: 'session.own',
  summary: 'Get the options with which the browser makes a passkey of the operator',
  response: { 200: envelope(CreationOptions), ...missing, ...conflict },
});

export const addOperatorPasskey = endpoint('POST /session/passkeys', {
  permission: 'session.own',
  summary: 'Add a passkey of the operator',
  body: NewPasskey,
  response: { 201: envelope(Passkey), ...missing, ...conflict },
});

export const renameOperatorPasskey = endpoint('PUT /session/passkeys/:uuid', {
  permission: 'session.own',
  summary: 'Rename a passkey of the operator',
  body: PasskeyName,
  response: { 200: envelope(Passkey), ...missing },
});

export const removeOperatorPasskey = endpoint('DELETE /session/passkeys/:uuid', {
  permission: 'session.own',
  summary: 'Remove a passkey of the operator',
  response: { 200: envelope(z.object({ removed: z.literal(true) })), ...missing },
});

export const startOperatorPasskeyConfirmation = endpoint('POST /session/confirmation/passkey', {
  permission: 'session.own',
  summary: 'Get the options with which the browser proves by a passkey who makes the calls of the session',
  response: { 200: envelope(RequestOptions), ...missing, ...conflict },
});

export const startOperatorPasskeyLogin = endpoint('POST /session/passkey/options', {
  summary: 'Get the options with which the browser logs an operator in by a passkey alone',
  isPublic: true,
  response: { 200: envelope(RequestOptions), ...limited },
});

/** The cookie of the response with the options binds them to the browser. */
export const logInOperatorByPasskey = endpoint('POST /session/passkey', {
  summary: 'Log in as an operator by a passkey alone',
  isPublic: true,
  body: PasskeyLogin,
  response: { 200: envelope(OperatorAccount), ...limited },
});

/** For `passkey` of the login by password. They name no passkey, so that a caller cannot learn who has one, or whether a password is right. */
export const startOperatorPasskeyFactor = endpoint('POST /session/second-factor/passkey/options', {
  summary: 'Get the options with which the browser completes a login of an operator by a passkey',
  isPublic: true,
  response: { 200: envelope(RequestOptions), ...limited },
});

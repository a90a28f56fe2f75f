import { z } from 'zod';
import { endpoint, limited } from '../lib/endpoint.ts';
import { UuidParams, envelope } from '../lib/wire.ts';
import { Confirmation, ConfirmedUntil, SignInSession } from './sign-in.ts';

export const listSessions = endpoint({
  method: 'GET',
  path: '/account/sessions',
  companyPermission: 'sign_in.read',
  summary: 'List where the caller is logged in',
  response: { 200: envelope(ConfirmedUntil.extend({ sessions: z.array(SignInSession) })) },
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/account/sessions/:uuid',
  companyPermission: 'sign_in.write',
  summary: 'End a session of the caller',
  params: UuidParams,
  response: { 200: envelope(z.object({ ended: z.literal(true) })) },
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/account/sessions',
  companyPermission: 'sign_in.write',
  summary: 'End all sessions of the caller but this one',
  response: { 200: envelope(z.object({ ended: z.number().int() })) },
});

export const confirm = endpoint({
  method: 'POST',
  path: '/account/confirmation',
  companyPermission: 'sign_in.write',
  summary: 'Prove again who makes the calls of the session, before changes of how one signs in',
  body: Confirmation,
  response: { 200: envelope(ConfirmedUntil), ...limited },
});

import { z } from 'zod';
import {
  Confirmation,
  ConfirmedUntil,
  RecoveryCodes,
  SecondFactors,
  SignInSession,
} from '../accounts/sign-in.ts';
import { endpoint, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

// Paths are relative to the operator's API. The holder of OPERATOR_TOKEN has no account and gets 404.

export const listOperatorSessions = endpoint('GET /session/sessions', {
  summary: 'List where the operator is logged in',
  permission: 'session.own',
  response: { 200: envelope(ConfirmedUntil.extend({ sessions: z.array(SignInSession) })), ...missing },
});

export const endOperatorSession = endpoint('DELETE /session/sessions/:uuid', {
  summary: 'End a session of the operator',
  permission: 'session.own',
  response: { 200: envelope(z.object({ ended: z.literal(true) })), ...missing },
});

export const endOtherOperatorSessions = endpoint('DELETE /session/sessions', {
  summary: 'End all sessions of the operator but this one',
  permission: 'session.own',
  response: { 200: envelope(z.object({ ended: z.number().int() })), ...missing },
});

export const confirmOperator = endpoint('POST /session/confirmation', {
  summary: 'Prove again who makes the calls of the session, before sessions end and recovery codes are made',
  permission: 'session.own',
  body: Confirmation,
  response: { 200: envelope(ConfirmedUntil), ...missing },
});

export const readOperatorFactors = endpoint('GET /session/second-factors', {
  summary: 'Read how the operator signs in, in addition to the password',
  permission: 'session.own',
  response: { 200: envelope(SecondFactors), ...missing },
});

export const renewOperatorRecoveryCodes = endpoint('POST /session/recovery-codes', {
  summary: 'Get new recovery codes in place of the present ones',
  permission: 'session.own',
  response: { 200: envelope(RecoveryCodes), ...missing },
});

import { z } from 'zod';
import { endpoint, limited, missing, unauthorized, conflict } from '../lib/endpoint.ts';
import {
  NewOperator,
  OperatorAccount,
  AuditEntry,
  OperatorChanges,
  OperatorLogin,
  OperatorLoginStep,
  operatorAccountVersion,
} from './schema.ts';
import { Page, Uuid, envelope } from '../lib/wire.ts';

// Paths are relative to the operator's API.

export const logInOperator = endpoint('POST /session', {
  summary: 'Log in as an operator',
  isPublic: true,
  body: OperatorLogin,
  response: { 200: envelope(OperatorLoginStep), ...unauthorized, ...limited },
});

export const readOperatorSession = endpoint('GET /session', {
  summary: 'Read who is logged in',
  permission: 'session.own',
  response: { 200: envelope(OperatorAccount.nullable()) },
});

export const logOutOperator = endpoint('DELETE /session', {
  summary: 'Log out',
  permission: 'session.own',
  response: { 200: envelope(z.object({ logged_out: z.literal(true) })) },
});

export const listOperators = endpoint('GET /operators', {
  summary: 'List the operators',
  permission: 'operator.read',
  response: { 200: envelope(z.object({ operators: z.array(OperatorAccount) })) },
});

export const addOperator = endpoint('POST /operators', {
  summary: 'Add an operator',
  permission: 'operator.write',
  body: NewOperator,
  version: operatorAccountVersion,
  response: { 201: envelope(OperatorAccount), ...conflict },
});

export const changeOperator = endpoint('PATCH /operators/:uuid', {
  summary: 'Change an operator',
  permission: 'operator.write',
  body: OperatorChanges,
  version: operatorAccountVersion,
  response: { 200: envelope(OperatorAccount), ...missing, ...conflict },
});

export const listAuditEntries = endpoint('GET /acts', {
  summary: 'List what operators did, newest first',
  permission: 'audit.read',
  query: Page.extend({ company_uuid: Uuid.optional() }),
  response: { 200: envelope(z.object({ acts: z.array(AuditEntry), total: z.number().int() })) },
});

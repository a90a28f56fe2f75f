import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { clientAddress, clientOf } from '../../../platform/http/auth/client.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listAuditEntries } from '../../changes/public.ts';
import { LoginAttempts } from '../login-attempts.ts';
import { logInOperator, logInByPasskey } from './login.ts';
import { addOperator, changeOperator, listOperators, logOutOperator, readOwnAccount } from './service.ts';
import {
  clearOperatorSession,
  operatorSessionOf,
  setOperatorSession,
  takeOperatorPasskeyCookie,
  setOperatorPasskeyCookie,
} from './session-cookie.ts';
import * as signIn from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import {
  confirmOperator,
  endOperatorSession,
  endOtherOperatorSessions,
  listOperatorSessions,
  readOperatorFactors,
  renewOperatorRecoveryCodes,
} from './own-sign-in.ts';
import * as passkeys from '@bidwell/contract/operator-accounts/passkey-endpoints';
import type { RouteShorthandOptions } from 'fastify';
import { discoverableOptions } from '../passkeys/passkeys.ts';
import {
  addOperatorPasskey,
  listOperatorPasskeys,
  removeOperatorPasskey,
  renameOperatorPasskey,
  startOperatorPasskey,
  startOperatorPasskeyConfirmation,
} from './passkeys.ts';
import * as viewer from '@bidwell/contract/accounts/viewer-endpoints';
import { bearer } from '../../../platform/http/auth/auth.ts';
import { endViewerSession, openViewerSession } from '../sessions/viewer-sessions.ts';

/** Registers the logins of operators, the calls of the operator's API without a session. */
export async function registerOperatorLogin(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  // For any login, since a wrong one costs as much to check as a right one.
  const perAddress = { preHandler: limitTo(http, { max: 60 }) };
  const attempts = new LoginAttempts(ctx.now);
  route(http, endpoints.logInOperator, perAddress, async (request, reply) => {
    const subject = `operator:${request.body.login}`;
    const address = clientAddress(request);
    await setTimeout(attempts.count(subject, address));
    const { passkey } = request.body;
    const secret = passkey && takeOperatorPasskeyCookie(ctx.config, request, reply);
    const from = { client: clientOf(request), signal: goneSignal(reply), secret };
    const { step, session } = await logInOperator(ctx, request.body, address, from);
    if (session) {
      attempts.succeeded(subject, address);
      setOperatorSession(ctx.config, reply, session);
    }
    return { data: step };
  });
  registerOperatorPasskeyLogin(http, ctx, perAddress);
}

/** Registers the calls on operators' sessions and accounts, and the audit log. */
export function registerOperatorAccounts(http: Http, ctx: Context): void {
  registerOwnSignIn(http, ctx);
  dataRoute(http, ctx, endpoints.readOperatorSession, readOwnAccount);
  route(http, endpoints.logOutOperator, async (request, reply) => {
    await logOutOperator(ctx, operatorOf(request), { token: operatorSessionOf(ctx.config, request) });
    clearOperatorSession(ctx.config, reply);
    return { data: { logged_out: true as const } };
  });
  dataRoute(http, ctx, endpoints.listOperators, named('operators', listOperators));
  dataRoute(http, ctx, endpoints.addOperator, addOperator);
  dataRoute(http, ctx, endpoints.changeOperator, changeOperator);
  dataRoute(http, ctx, endpoints.listAuditEntries, listAuditEntries);
}

/** Registers the calls on how the operator who makes them signs in. */
function registerOwnSignIn(http: Http, ctx: Context): void {
  const attempts = new LoginAttempts(ctx.now);
  registerOperatorPasskeys(http, ctx);
  dataRoute(http, ctx, signIn.listOperatorSessions, listOperatorSessions);
  dataRoute(http, ctx, signIn.endOperatorSession, answering({ ended: true }, endOperatorSession));
  dataRoute(http, ctx, signIn.endOtherOperatorSessions, named('ended', endOtherOperatorSessions));
  route(http, signIn.confirmOperator, async (request, reply) => {
    const operator = operatorOf(request);
    const address = clientAddress(request);
    await setTimeout(attempts.count(operator.login, address));
    const caller = { client: clientOf(request), signal: goneSignal(reply) };
    const data = await confirmOperator(ctx, operator, request.body, caller);
    attempts.succeeded(operator.login, address);
    return { data };
  });
  dataRoute(http, ctx, signIn.readOperatorFactors, readOperatorFactors);
  // No idempotency keys: repeating the response would require storing the codes.
  dataRoute(
    http,
    ctx,
    signIn.renewOperatorRecoveryCodes,
    { config: { answersSecret: true } },
    renewOperatorRecoveryCodes,
  );
}

/** Registers the calls on the passkeys of the operator who makes them. */
function registerOperatorPasskeys(http: Http, ctx: Context): void {
  dataRoute(http, ctx, passkeys.listOperatorPasskeys, listOperatorPasskeys);
  dataRoute(http, ctx, passkeys.startOperatorPasskey, startOperatorPasskey);
  dataRoute(http, ctx, passkeys.addOperatorPasskey, addOperatorPasskey);
  dataRoute(http, ctx, passkeys.renameOperatorPasskey, renameOperatorPasskey);
  dataRoute(http, ctx, passkeys.removeOperatorPasskey, answering({ removed: true }, removeOperatorPasskey));
  dataRoute(http, ctx, passkeys.startOperatorPasskeyConfirmation, startOperatorPasskeyConfirmation);
}

/** Registers the logins of operators by passkey. Options name no account, so that they reveal nothing about one. */
function registerOperatorPasskeyLogin(
  http: Http,
  ctx: Context,
  perAddress: Pick<RouteShorthandOptions, 'preHandler'>,
): void {
  const { config } = ctx;
  for (const [endpoint, purpose] of [
    [passkeys.startOperatorPasskeyLogin, 'log in'],
    [passkeys.startOperatorPasskeyFactor, 'second factor'],
  ] as const)
    route(http, endpoint, perAddress, async (_request, reply) => {
      const { options, secret } = discoverableOptions(ctx, { of: 'operator', purpose });
      setOperatorPasskeyCookie(config, reply, secret);
      return { data: options };
    });
  route(http, passkeys.logInOperatorByPasskey, perAddress, async (request, reply) => {
    const secret = takeOperatorPasskeyCookie(config, request, reply);
    const { operator, session } = await logInByPasskey(ctx, secret, request.body, clientOf(request));
    setOperatorSession(config, reply, session);
    return { data: operator };
  });
}

/** Registers the calls by which an operator's browser begins and ends a read-only session. */
export async function registerViewerSessions(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const perAddress = { preHandler: limitTo(http, { max: 60 }) };
  route(http, viewer.openViewerSession, perAddress, async (request) => ({
    data: await openViewerSession(ctx, request.body.code),
  }));
  route(http, viewer.endViewerSession, async (request) => {
    const token = bearer(request);
    if (token !== undefined) await endViewerSession(ctx, token);
    return { data: { ended: true as const } };
  });
}

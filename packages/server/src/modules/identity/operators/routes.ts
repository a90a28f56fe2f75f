import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import { apiMessages } from '@bidwell/contract/text/messages';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { clientAddress } from '../../../platform/http/auth/client-address.ts';
import { clientOf } from '../../../platform/http/auth/client.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listAuditEntries } from '../../changes/public.ts';
import { LoginAttempts } from '../login-attempts.ts';
import { logInOperator } from './login.ts';
import { registerOwnSignIn } from './own-sign-in-routes.ts';
import { registerOperatorPasskeyLogin } from './passkey-routes.ts';
import { addOperator, changeOperator, listOperators, logOutOperator, readOwnAccount } from './service.ts';
import {
  clearOperatorSession,
  operatorSessionOf,
  setOperatorSession,
  takeOperatorPasskeyCookie,
} from './session-cookie.ts';

/** Registers the logins of operators, the calls of the operator's API without a session. */
export async function registerOperatorLogin(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  // Whatever the login, since a wrong one costs as much to check as a right one.
  const perAddress = { preHandler: limitTo(http, { max: 60, timeWindow: 60_000 }, apiMessages.attempts) };
  const attempts = new LoginAttempts(ctx.now);
  route(
    http,
    endpoints.logInOperator,
    async (request, reply) => {
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
    },
    perAddress,
  );
  registerOperatorPasskeyLogin(http, ctx, perAddress);
}

/** Registers the calls on operators' sessions and accounts, and the audit log. */
export function registerOperatorAccounts(http: Http, ctx: Context): void {
  registerOwnSignIn(http, ctx);
  route(http, endpoints.readOperatorSession, async (request) => ({
    data: await readOwnAccount(ctx, operatorOf(request)),
  }));
  route(http, endpoints.logOutOperator, async (request, reply) => {
    await logOutOperator(ctx, operatorOf(request), { token: operatorSessionOf(ctx.config, request) });
    clearOperatorSession(ctx.config, reply);
    return { data: { logged_out: true as const } };
  });
  route(http, endpoints.listOperators, async (request) => ({
    data: { operators: await listOperators(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.addOperator, async (request, reply) => {
    void reply.code(201);
    return { data: await addOperator(ctx, operatorOf(request), request.body) };
  });
  route(http, endpoints.changeOperator, async (request) => ({
    data: await changeOperator(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.listAuditEntries, async (request) => ({
    data: await listAuditEntries(ctx, operatorOf(request), request.query),
  }));
}

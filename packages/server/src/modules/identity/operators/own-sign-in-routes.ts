import * as endpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { clientAddress } from '../../../platform/http/auth/client-address.ts';
import { clientOf } from '../../../platform/http/auth/client.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { LoginAttempts } from '../login-attempts.ts';
import { registerOperatorPasskeys } from './passkey-routes.ts';
import {
  confirmOperator,
  endOperatorSession,
  endOtherOperatorSessions,
  listOperatorSessions,
  readOperatorFactors,
  renewOperatorRecoveryCodes,
} from './own-sign-in.ts';

/** Registers the calls on how the operator who makes them signs in. */
export function registerOwnSignIn(http: Http, ctx: Context): void {
  const attempts = new LoginAttempts(ctx.now);
  registerOperatorPasskeys(http, ctx);
  route(http, endpoints.listOperatorSessions, async (request) => ({
    data: await listOperatorSessions(ctx, operatorOf(request)),
  }));
  route(http, endpoints.endOperatorSession, async (request) => {
    await endOperatorSession(ctx, operatorOf(request), request.params);
    return { data: { ended: true as const } };
  });
  route(http, endpoints.endOtherOperatorSessions, async (request) => ({
    data: { ended: await endOtherOperatorSessions(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.confirmOperator, async (request, reply) => {
    const operator = operatorOf(request);
    const address = clientAddress(request);
    await setTimeout(attempts.count(operator.login, address));
    const caller = { client: clientOf(request), signal: goneSignal(reply) };
    const data = await confirmOperator(ctx, operator, request.body, caller);
    attempts.succeeded(operator.login, address);
    return { data };
  });
  route(http, endpoints.readOperatorFactors, async (request) => ({
    data: await readOperatorFactors(ctx, operatorOf(request)),
  }));
  route(
    http,
    endpoints.renewOperatorRecoveryCodes,
    async (request) => ({ data: await renewOperatorRecoveryCodes(ctx, operatorOf(request)) }),
    // No idempotency keys: repeating the response would require storing the codes.
    { config: { answersSecret: true } },
  );
}

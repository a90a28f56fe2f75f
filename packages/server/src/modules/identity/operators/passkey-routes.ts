import * as endpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import type { RouteShorthandOptions } from 'fastify';
import type { Context } from '../../../context.ts';
import { clientOf } from '../../../platform/http/auth/client.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { optionsForAnybody } from '../passkeys/account-passkeys.ts';
import { logInByPasskey } from './login.ts';
import {
  addOperatorPasskey,
  listOperatorPasskeys,
  removeOperatorPasskey,
  renameOperatorPasskey,
  startOperatorPasskey,
  startOperatorPasskeyConfirmation,
} from './passkeys.ts';
import { setOperatorPasskeyCookie, setOperatorSession, takeOperatorPasskeyCookie } from './session-cookie.ts';

/** Registers the calls on the passkeys of the operator who makes them. */
export function registerOperatorPasskeys(http: Http, ctx: Context): void {
  route(http, endpoints.listOperatorPasskeys, async (request) => ({
    data: await listOperatorPasskeys(ctx, operatorOf(request)),
  }));
  route(http, endpoints.startOperatorPasskey, async (request) => ({
    data: await startOperatorPasskey(ctx, operatorOf(request)),
  }));
  route(http, endpoints.addOperatorPasskey, async (request, reply) => {
    void reply.code(201);
    return { data: await addOperatorPasskey(ctx, operatorOf(request), request.body) };
  });
  route(http, endpoints.renameOperatorPasskey, async (request) => ({
    data: await renameOperatorPasskey(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.removeOperatorPasskey, async (request) => {
    await removeOperatorPasskey(ctx, operatorOf(request), request.params);
    return { data: { removed: true as const } };
  });
  route(http, endpoints.startOperatorPasskeyConfirmation, async (request) => ({
    data: await startOperatorPasskeyConfirmation(ctx, operatorOf(request)),
  }));
}

/** Registers the logins of operators by passkey. Options are for anybody, so that they tell nothing of an account. */
export function registerOperatorPasskeyLogin(
  http: Http,
  ctx: Context,
  perAddress: Pick<RouteShorthandOptions, 'preHandler'>,
): void {
  const { config } = ctx;
  for (const [endpoint, purpose] of [
    [endpoints.startOperatorPasskeyLogin, 'log in'],
    [endpoints.startOperatorPasskeyFactor, 'second factor'],
  ] as const)
    route(
      http,
      endpoint,
      async (_request, reply) => {
        const { options, secret } = optionsForAnybody(ctx, { of: 'operator', purpose });
        setOperatorPasskeyCookie(config, reply, secret);
        return { data: options };
      },
      perAddress,
    );
  route(
    http,
    endpoints.logInOperatorByPasskey,
    async (request, reply) => {
      const secret = takeOperatorPasskeyCookie(config, request, reply);
      const { operator, session } = await logInByPasskey(ctx, secret, request.body, clientOf(request));
      setOperatorSession(config, reply, session);
      return { data: operator };
    },
    perAddress,
  );
}

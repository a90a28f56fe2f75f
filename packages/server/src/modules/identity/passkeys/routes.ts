import * as endpoints from '@bidwell/contract/accounts/passkey-endpoints';
import type { RouteShorthandOptions } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { answering, dataRoute } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import {
  loginStepOf,
  setPasskeyCookie,
  takePasskeyCookie,
  completeLogin,
  replaceSession,
} from '../sessions/session-cookies.ts';
import { loginClientOf } from '../sign-in/login-client.ts';
import { logInByPasskey, passPasskeyFactor, startPasskeyFactor, startPasskeyLogin } from './log-in.ts';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeyConfirmation,
} from './passkeys.ts';

/** Registers the calls on the caller's passkeys. */
export function registerPasskeys(http: Http, ctx: Context): void {
  // No idempotency keys: repeating the response would require storing the secret.
  const answersSecret = { config: { answersSecret: true as const } };
  dataRoute(http, ctx, endpoints.listPasskeys, listPasskeys);
  dataRoute(http, ctx, endpoints.startPasskey, answersSecret, startPasskey);
  route(http, endpoints.addPasskey, async (request, reply) =>
    reply.code(201).send({ data: await addPasskey(ctx, actorOf(request), request.body) }),
  );
  dataRoute(http, ctx, endpoints.renamePasskey, renamePasskey);
  dataRoute(http, ctx, endpoints.removePasskey, answering({ removed: true }, removePasskey));
  dataRoute(http, ctx, endpoints.startPasskeyConfirmation, answersSecret, startPasskeyConfirmation);
}

/** Registers the logins by passkey, which need no captcha, since a signature cannot be guessed. */
export function registerPasskeyLogin(
  http: Http,
  ctx: Context,
  perAddress: Pick<RouteShorthandOptions, 'preHandler'>,
): void {
  const { config } = ctx;
  route(http, endpoints.startPasskeyLogin, perAddress, async (_request, reply) => {
    const { options, secret } = startPasskeyLogin(ctx);
    setPasskeyCookie(config, reply, secret);
    return { data: options };
  });
  route(http, endpoints.logInByPasskey, perAddress, async (request, reply) => {
    const secret = takePasskeyCookie(config, request, reply);
    const client = loginClientOf(config, request, reply);
    const session = await logInByPasskey(ctx, secret, request.body, client);
    return replaceSession(ctx, request, reply, session);
  });
  route(http, endpoints.startPasskeyFactor, perAddress, async (request) => ({
    data: await startPasskeyFactor(ctx, loginStepOf(config, request)),
  }));
  route(http, endpoints.passPasskeyFactor, perAddress, async (request, reply) =>
    completeLogin(ctx, request, reply, (step, client) => passPasskeyFactor(ctx, step, request.body, client)),
  );
}

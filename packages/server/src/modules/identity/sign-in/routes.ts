import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/accounts/sign-in-endpoints';
import type { RouteShorthandOptions } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { clientOf } from '../../../platform/http/auth/client.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { registerPasskeys } from '../passkeys/routes.ts';
import {
  enableAuthenticator,
  readSecondFactors,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
} from './authenticator.ts';
import { confirm } from './confirmation.ts';
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts';

/** Guesses of the password or a code of a person in each window. */
const CONFIRMATIONS_MAX = 10;
const WINDOW_MS = 10 * 60_000;

/** Registers the calls on how the caller signs in. */
export async function registerSignIn(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  dataRoute(http, ctx, endpoints.listSessions, listSessions);
  dataRoute(http, ctx, endpoints.endSession, answering({ ended: true }, endSession));
  dataRoute(http, ctx, endpoints.endOtherSessions, named('ended', endOtherSessions));
  const limit = { max: CONFIRMATIONS_MAX, timeWindow: WINDOW_MS, per: 'person' } as const;
  const guesses = { preHandler: limitTo(http, limit) };
  registerAuthenticator(http, ctx, guesses);
  registerPasskeys(http, ctx);
  route(http, endpoints.confirm, guesses, async (request, reply) => ({
    data: await confirm(ctx, actorOf(request), request.body, clientOf(request), goneSignal(reply)),
  }));
}

function registerAuthenticator(
  http: Http,
  ctx: Context,
  guesses: Pick<RouteShorthandOptions, 'preHandler'>,
): void {
  // No idempotency keys: repeating the response would require storing the secret.
  const answersSecret = { config: { answersSecret: true as const } };
  dataRoute(http, ctx, endpoints.readSecondFactors, readSecondFactors);
  dataRoute(http, ctx, endpoints.startAuthenticator, answersSecret, startAuthenticator);
  dataRoute(http, ctx, endpoints.enableAuthenticator, { ...guesses, ...answersSecret }, enableAuthenticator);
  dataRoute(http, ctx, endpoints.removeAuthenticator, answering({ removed: true }, removeAuthenticator));
  dataRoute(http, ctx, endpoints.renewRecoveryCodes, answersSecret, renewRecoveryCodes);
}

import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/accounts/single-sign-on-endpoints';
import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { spendPass } from '../captcha.ts';
import {
  setSignInCookie,
  takeCaptchaPass,
  takeSignInCookie,
  replaceSession,
} from '../sessions/session-cookies.ts';
import { loginClientOf } from '../sign-in/login-client.ts';
import { addSsoDomain, removeSsoDomain, verifySsoDomain } from './domains.ts';
import { deleteSso, putSso, readSso } from './settings.ts';
import { type StartedSignIn, finishSso, linkSso, readOwnSso, startSso } from './sign-in.ts';

/** Calls of a company to providers and name servers in each window. */
const OUTBOUND_MAX = 30;
const OUTBOUND_WINDOW_MS = 10 * 60_000;

/** Registers the calls of people who sign in. `perAddress` limits the calls of an address. */
export function registerSsoSignIn(
  http: Http,
  ctx: Context,
  perAddress: Pick<RouteShorthandOptions, 'preHandler'>,
): void {
  route(http, endpoints.startSso, perAddress, async (request, reply) => {
    await spendPass(ctx, takeCaptchaPass(ctx.config, request, reply));
    return sendStarted(ctx, reply, await startSso(ctx, request.body));
  });
  route(http, endpoints.finishSso, perAddress, async (request, reply) => {
    const { company_uuid: companyId, query } = request.body;
    const browserSecret = takeSignInCookie(ctx.config, request, reply);
    const client = loginClientOf(ctx.config, request, reply);
    const { session } = await finishSso(ctx, { companyId, query, browserSecret, client });
    if (!session) return { data: { session } };
    const { data: tokens } = await replaceSession(ctx, request, reply, session);
    return { data: { session: tokens } };
  });
}

function sendStarted({ config }: Context, reply: FastifyReply, { location, browserSecret }: StartedSignIn) {
  setSignInCookie(config, reply, browserSecret);
  return { data: { location } };
}

/** Registers the calls on the single sign-on of a company, and of a person in it. */
export async function registerSso(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const limit = { max: OUTBOUND_MAX, timeWindow: OUTBOUND_WINDOW_MS, per: 'company' } as const;
  const outbound = () => ({ preHandler: limitTo(http, limit) });
  dataRoute(http, ctx, endpoints.readSso, readSso);
  dataRoute(http, ctx, endpoints.putSso, outbound(), putSso);
  dataRoute(http, ctx, endpoints.deleteSso, deleteSso);
  route(http, endpoints.addSsoDomain, async (request, reply) =>
    reply.code(201).send({ data: await addSsoDomain(ctx, actorOf(request), request.body) }),
  );
  dataRoute(http, ctx, endpoints.verifySsoDomain, outbound(), verifySsoDomain);
  dataRoute(http, ctx, endpoints.removeSsoDomain, answering({ removed: true }, removeSsoDomain));
  dataRoute(http, ctx, endpoints.readOwnSso, readOwnSso);
  route(http, endpoints.linkSso, outbound(), async (request, reply) =>
    sendStarted(ctx, reply, await linkSso(ctx, actorOf(request))),
  );
}

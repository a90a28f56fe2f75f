import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/accounts/people-endpoints';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { sendSession } from '../sessions/session-cookies.ts';
import { invite, revokeInvitation } from './invitations.ts';
import { acceptInvitation } from './joining.ts';
import { listOwnCompanies, switchCompany } from './own-companies.ts';
import { changeRole, leaveCompany, listPeople, removePerson, transferOwnership } from './people.ts';

/** Registers the calls on the people of a company, and on the companies of a person. */
export async function registerPeople(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  route(http, endpoints.listPeople, async (request) => ({ data: await listPeople(ctx, actorOf(request)) }));
  route(
    http,
    endpoints.invite,
    async (request, reply) => {
      const made = await invite(ctx, actorOf(request), request.body);
      return reply.code(201).header('cache-control', 'no-store').send({ data: made });
    },
    // No idempotency key: repeating the response would require storing the secret.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.revokeInvitation, async (request) => {
    await revokeInvitation(ctx, actorOf(request), request.params);
    return { data: { revoked: true as const } };
  });
  route(http, endpoints.changeRole, async (request) => {
    const { user_id: userId } = request.params;
    return { data: await changeRole(ctx, actorOf(request), { userId, role: request.body.role }) };
  });
  route(http, endpoints.removePerson, async (request) => {
    await removePerson(ctx, actorOf(request), { userId: request.params.user_id });
    return { data: { removed: true as const } };
  });
  route(http, endpoints.transferOwnership, async (request) => ({
    data: await transferOwnership(ctx, actorOf(request), { userId: request.params.user_id }),
  }));
  route(http, endpoints.leaveCompany, async (request) => {
    await leaveCompany(ctx, actorOf(request));
    return { data: { left: true as const } };
  });
  registerOwnCompanies(http, ctx);
}

function registerOwnCompanies(http: Http, ctx: Context): void {
  route(http, endpoints.listOwnCompanies, async (request) => ({
    data: { companies: await listOwnCompanies(ctx, actorOf(request)) },
  }));
  route(http, endpoints.switchCompany, async (request, reply) => {
    const opened = await switchCompany(ctx, actorOf(request), { companyId: request.params.uuid });
    return sendSession(ctx, request, reply, opened);
  });
  const keyGenerator = (request: FastifyRequest) => actorOf(request).userId;
  const perPerson = limitTo(http, { max: 60, timeWindow: 60_000, keyGenerator }, accountApiMessages.attempts);
  route(
    http,
    endpoints.acceptInvitation,
    async (request) => ({ data: await acceptInvitation(ctx, actorOf(request), request.body) }),
    { preHandler: perPerson },
  );
}

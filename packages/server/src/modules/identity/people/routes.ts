import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/accounts/people-endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
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
  dataRoute(http, ctx, endpoints.listPeople, listPeople);
  // No idempotency key: repeating the response would require storing the secret.
  dataRoute(
    http,
    ctx,
    endpoints.invite,
    { config: { answersSecret: true } },
    async (_, actor, body, reply) => {
      void reply.header('cache-control', 'no-store');
      return invite(ctx, actor, body);
    },
  );
  dataRoute(http, ctx, endpoints.revokeInvitation, answering({ revoked: true }, revokeInvitation));
  dataRoute(http, ctx, endpoints.changeRole, async (_, actor, { user_id: userId, role }) =>
    changeRole(ctx, actor, { userId, role }),
  );
  dataRoute(http, ctx, endpoints.removePerson, async (_, actor, { user_id: userId }) => {
    await removePerson(ctx, actor, { userId });
    return { removed: true as const };
  });
  dataRoute(http, ctx, endpoints.transferOwnership, async (_, actor, { user_id: userId }) =>
    transferOwnership(ctx, actor, { userId }),
  );
  dataRoute(http, ctx, endpoints.leaveCompany, answering({ left: true }, leaveCompany));
  registerOwnCompanies(http, ctx);
}

function registerOwnCompanies(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listOwnCompanies, named('companies', listOwnCompanies));
  route(http, endpoints.switchCompany, async (request, reply) => {
    const opened = await switchCompany(ctx, actorOf(request), { companyId: request.params.uuid });
    return sendSession(ctx, request, reply, opened);
  });
  const perPerson = { preHandler: limitTo(http, { max: 60, per: 'person' }) };
  dataRoute(http, ctx, endpoints.acceptInvitation, perPerson, acceptInvitation);
}

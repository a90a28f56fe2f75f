import { updateCompany } from '@bidwell/contract/accounts/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { changeOwnCompany } from './company-profile.ts';

/** Registers the call by which a company changes its name and time zone. */
export function registerCompanyProfile(http: Http, ctx: Context): void {
  route(http, updateCompany, async (request) => ({
    data: await changeOwnCompany(ctx, actorOf(request), request.params.uid, request.body),
  }));
}

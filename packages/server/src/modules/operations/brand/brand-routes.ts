import * as endpoints from '@bidwell/contract/operator/brand-endpoints';
import type { Context } from '../../../context.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { changeBrand, changeLogo, readBrand, removeLogo } from './brand.ts';

/** Registers the operator's calls on the brand of the installation. */
export function registerBrand(http: Http, ctx: Context): void {
  route(http, endpoints.readBrand, async (request) => ({ data: await readBrand(ctx, operatorOf(request)) }));
  route(http, endpoints.changeBrand, async (request) => ({
    data: await changeBrand(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.changeLogo, async (request, reply) => {
    const input = { ...request.body, signal: goneSignal(reply) };
    return { data: await changeLogo(ctx, operatorOf(request), input) };
  });
  route(http, endpoints.removeLogo, async (request) => ({
    data: await removeLogo(ctx, operatorOf(request)),
  }));
}

import * as endpoints from '@bidwell/contract/operator/skadnetwork-endpoints';
import type { Context } from '../../../context.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { deleteNetwork, putNetwork } from './networks.ts';
import {
  listNetworkApps,
  readSkadnetwork,
  switchNetworkApp,
  switchNetworkExchange,
} from './signing-switches.ts';

/** Registers the operator's calls on the ad networks of SKAdNetwork. */
export function registerSkadnetwork(http: Http, ctx: Context): void {
  route(http, endpoints.readSkadnetwork, async (request) => ({
    data: await readSkadnetwork(ctx, operatorOf(request)),
  }));
  route(http, endpoints.putNetwork, async (request) => ({
    data: await putNetwork(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.deleteNetwork, async (request) => ({
    data: await deleteNetwork(ctx, operatorOf(request), request.params),
  }));
  route(http, endpoints.switchNetworkExchange, async (request) => ({
    data: await switchNetworkExchange(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.listNetworkApps, async (request) => ({
    data: await listNetworkApps(ctx, operatorOf(request), request.query),
  }));
  route(http, endpoints.switchNetworkApp, async (request) => ({
    data: await switchNetworkApp(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
}

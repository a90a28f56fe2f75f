import { readStorage as endpoint } from '@bidwell/contract/creatives/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { readStorage } from './service.ts';

/** Registers the call on the storage of a company's files. */
export function registerStorage(http: Http, ctx: Context): void {
  route(http, endpoint, async (request) => ({ data: await readStorage(ctx, actorOf(request)) }));
}

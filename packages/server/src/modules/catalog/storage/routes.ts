import { readStorage as endpoint } from '@bidwell/contract/creatives/endpoints';
import type { Context } from '../../../context.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { readStorage } from './service.ts';

/** Registers the call on the storage of a company's files. */
export function registerStorage(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoint, readStorage);
}

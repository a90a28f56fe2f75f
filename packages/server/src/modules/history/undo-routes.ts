import { undoChange as endpoint } from '@bidwell/contract/changes/endpoints';
import type { Engines } from '../../context.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { StatusCalls } from './service.ts';
import { undoChange } from './service.ts';

/** Registers the call that undoes a change. */
export function registerUndo(http: Http, engines: Engines, calls: StatusCalls): void {
  route(http, endpoint, async (request) => ({
    data: await undoChange(engines, actorOf(request), request.params.uuid, calls),
  }));
}

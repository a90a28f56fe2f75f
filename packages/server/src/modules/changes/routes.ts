import { listChanges as endpoint } from '@bidwell/contract/endpoints/changes';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { withUndo } from '../undo/service.ts';
import { listChanges } from './service.ts';

/** Registers the call on the change log. */
export function registerChanges(http: Http, engines: Engines): void {
  route(http, endpoint, async (request) => {
    const actor = actorOf(request);
    const { changes, total } = await listChanges(engines, actor, request.params.uid, request.query);
    return { data: { changes: await withUndo(engines, actor, changes), total } };
  });
}

import * as endpoints from '@bidwell/contract/endpoints/diagnosis';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { DiagnosisDeps } from './service.ts';
import { findingsOf } from './service.ts';

/** Registers the diagnosis of campaigns. */
export function registerDiagnosis(http: Http, deps: DiagnosisDeps): void {
  route(http, endpoints.readFindings, async (request) => ({
    data: { findings: await findingsOf(deps, actorOf(request), request.params.uuid, request.query) },
  }));
}

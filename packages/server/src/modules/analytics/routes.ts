import {
  BundleQuery,
  BundleReport,
  HighlightQuery,
  Highlights,
  LevelQuery,
  LevelReport,
} from '@bidwell/contract/analytics';
import { envelope } from '@bidwell/contract/wire';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { levelReport } from './level-report.ts';
import { bundleReport, highlights } from './service.ts';

/** The calls on reports (§7). */
export function registerAnalytics(http: Http, engines: Engines): void {
  http.get(
    '/v2/analytics/highlight',
    {
      schema: {
        summary: 'Read the highlights',
        querystring: HighlightQuery,
        response: { 200: envelope(Highlights) },
      },
    },
    async (request) => ({ data: await highlights(engines, actorOf(request), request.query) }),
  );

  http.post(
    '/analytics/bundle',
    {
      schema: {
        summary: 'Report by publisher bundle',
        body: BundleQuery,
        response: { 200: envelope(BundleReport) },
      },
    },
    async (request) => ({ data: await bundleReport(engines, actorOf(request), request.body) }),
  );

  http.post(
    '/analytics/level',
    { schema: { summary: 'Report by levels', body: LevelQuery, response: { 200: envelope(LevelReport) } } },
    async (request) => ({ data: await levelReport(engines, actorOf(request), request.body) }),
  );
}

import {
  readConversionValues,
  updateConversionValues,
} from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import { comparePostbacks, reportPostbacks } from '@bidwell/contract/skadnetwork/report-endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { type ReportQueue, reportRoute } from '../../reporting/public.ts';
import { postbackComparison, postbackReport } from './postback-report.ts';
import { changeConversionValues, conversionValuesOf } from './conversion-values.ts';

/** Registers the calls about the conversion values of apps. */
export function registerConversionValues(http: Http, ctx: Context): void {
  route(http, readConversionValues, async (request) => ({
    data: await conversionValuesOf(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, updateConversionValues, async (request) => ({
    data: await changeConversionValues(ctx, actorOf(request), request.params.uuid, request.body),
  }));
}

/** Registers the reports of install postbacks, which wait in the queue of reports. */
export function registerPostbackReports(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, reportPostbacks, async (actor, query) => postbackReport(ctx, actor, query));
  reportRoute(http, queue, comparePostbacks, async (actor, query) => postbackComparison(ctx, actor, query));
}

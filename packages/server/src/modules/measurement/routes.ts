import { readAppEvents, updateAppEvents } from '@bidwell/contract/apps/endpoints';
import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import type { Context } from '../../context.ts';
import { dataRoute } from '../../platform/http/data-route.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ReportQueue, reportRoute } from '../reporting/public.ts';
import { appEvents, changeAppEvents } from './app-events.ts';
import { measurementReport } from './service.ts';
import {
  readConversionValues,
  updateConversionValues,
} from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import { comparePostbacks, reportPostbacks } from '@bidwell/contract/skadnetwork/report-endpoints';
import { postbackComparison, postbackReport } from './skadnetwork/postback-report.ts';
import { changeConversionValues, conversionValuesOf } from './skadnetwork/conversion-values.ts';

/**
 * Registers the reports of how clicks and postbacks were measured and of an app's in-app events, which wait in the queue of
 * reports, and the change of how they count.
 */
export function registerMeasurement(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, readMeasurement, async (actor, query) => measurementReport(ctx, actor, query));
  reportRoute(http, queue, readAppEvents, async (actor, { uuid }) => appEvents(ctx, actor, uuid));
  dataRoute(http, ctx, updateAppEvents, changeAppEvents);
}

/** Registers the calls about the conversion values of apps. */
export function registerConversionValues(http: Http, ctx: Context): void {
  dataRoute(http, ctx, readConversionValues, conversionValuesOf);
  dataRoute(http, ctx, updateConversionValues, changeConversionValues);
}

/** Registers the reports of install postbacks, which wait in the queue of reports. */
export function registerPostbackReports(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, reportPostbacks, async (actor, query) => postbackReport(ctx, actor, query));
  reportRoute(http, queue, comparePostbacks, async (actor, query) => postbackComparison(ctx, actor, query));
}

import { readAppEvents, updateAppEvents } from '@bidwell/contract/apps/endpoints';
import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import * as costEndpoints from '@bidwell/contract/measurement/partner-cost-endpoints';
import { COST_SENDS_PER_MINUTE } from '@bidwell/contract/measurement/partner-costs';
import * as copyEndpoints from '@bidwell/contract/measurement/postback-copy-endpoints';
import { COPY_SENDS_PER_MINUTE } from '@bidwell/contract/measurement/postback-copies';
import rateLimit from '@fastify/rate-limit';
import type { Context } from '../../context.ts';
import { limitTo } from '../../platform/http/limits/rate-limit.ts';
import { dataRoute, named } from '../../platform/http/data-route.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ReportQueue, reportRoute } from '../reporting/public.ts';
import { appEvents, changeAppEvents } from './app-events.ts';
import { measurementReport } from './service.ts';
import {
  readConversionValues,
  updateConversionValues,
} from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import { comparePostbacks, reportPostbacks } from '@bidwell/contract/skadnetwork/report-endpoints';
import { costReport } from './partner-costs/cost-report.ts';
import {
  listCostUploads,
  listPartnerCosts,
  sendPartnerCosts,
  updatePartnerCosts,
} from './partner-costs/settings.ts';
import { postbackCopies, resendPostbackCopy, updatePostbackCopies } from './postback-copies/settings.ts';
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

/** Registers the report of costs, which waits in the queue of reports. */
export function registerCostReports(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, costEndpoints.reportCosts, async (actor, query) => costReport(ctx, actor, query));
}

/** Registers the calls about what is sent to measurement partners: costs, and copies of postbacks. */
export async function registerPartnerDeliveries(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const perMinute = (max: number) => ({ preHandler: limitTo(http, { max, per: 'company' }) });
  dataRoute(http, ctx, costEndpoints.listPartnerCosts, named('partners', listPartnerCosts));
  dataRoute(http, ctx, costEndpoints.updatePartnerCosts, updatePartnerCosts);
  dataRoute(http, ctx, costEndpoints.sendPartnerCosts, perMinute(COST_SENDS_PER_MINUTE), sendPartnerCosts);
  dataRoute(http, ctx, costEndpoints.listCostUploads, named('uploads', listCostUploads));
  dataRoute(http, ctx, copyEndpoints.readPostbackCopies, postbackCopies);
  dataRoute(http, ctx, copyEndpoints.updatePostbackCopies, updatePostbackCopies);
  dataRoute(
    http,
    ctx,
    copyEndpoints.resendPostbackCopy,
    perMinute(COPY_SENDS_PER_MINUTE),
    resendPostbackCopy,
  );
}

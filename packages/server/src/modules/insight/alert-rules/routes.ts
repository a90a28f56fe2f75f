import * as endpoints from '@bidwell/contract/alerts/endpoints';
import type { Context } from '../../../context.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, updateAlertRule } from './service.ts';

/** Registers the calls on rules by which figures alert a company. */
export function registerAlertRules(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listAlertRules, named('rules', listAlertRules));
  createRoute(http, ctx, endpoints.createAlertRule, createAlertRule);
  dataRoute(http, ctx, endpoints.updateAlertRule, updateAlertRule);
  dataRoute(http, ctx, endpoints.deleteAlertRule, answering({ deleted: true }, deleteAlertRule));
}

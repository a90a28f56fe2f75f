import * as endpoints from '@bidwell/contract/invoices/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { sendInvoice, downloadInvoice, listInvoices } from './service.ts';
import { changeBillingDetails, readBillingDetails } from './settings.ts';

/** Registers a company's calls on its billing details and invoices. */
export function registerInvoices(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readBillingDetails, readBillingDetails);
  dataRoute(http, ctx, endpoints.changeBillingDetails, changeBillingDetails);
  dataRoute(http, ctx, endpoints.listInvoices, listInvoices);
  route(http, endpoints.downloadInvoice, async (request, reply) => {
    const wanted = { ...request.params, signal: goneSignal(reply) };
    return sendInvoice(reply, await downloadInvoice(ctx, actorOf(request), wanted));
  });
}

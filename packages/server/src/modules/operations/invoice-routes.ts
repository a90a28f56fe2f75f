import * as endpoints from '@bidwell/contract/operator/invoice-endpoints';
import type { Context } from '../../context.ts';
import { operatorOf } from '../../platform/http/auth/operator-auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import {
  changeInvoiceSettings,
  downloadCompanyInvoice,
  issueCreditNote,
  issueInvoice,
  listCompanyInvoices,
  listInvoiceRates,
  putInvoiceRate,
  readCompanyBilling,
  readInvoiceSettings,
  sendInvoice,
} from '../money/public.ts';

/** Registers the operator's calls on invoices. */
export function registerOperatorInvoices(http: Http, ctx: Context): void {
  route(http, endpoints.readInvoiceSettings, async (request) => ({
    data: await readInvoiceSettings(ctx, operatorOf(request)),
  }));
  route(http, endpoints.changeInvoiceSettings, async (request) => ({
    data: await changeInvoiceSettings(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.listInvoiceRates, async (request) => ({
    data: { rates: await listInvoiceRates(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.putInvoiceRate, async (request) => ({
    data: await putInvoiceRate(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.readCompanyBilling, async (request) => ({
    data: await readCompanyBilling(ctx, operatorOf(request), { companyId: request.params.uuid }),
  }));
  route(http, endpoints.listCompanyInvoices, async (request) => ({
    data: await listCompanyInvoices(ctx, operatorOf(request), {
      companyId: request.params.uuid,
      ...request.query,
    }),
  }));
  route(http, endpoints.issueInvoice, async (request, reply) => {
    const input = { companyId: request.params.uuid, ...request.body };
    void reply.code(201);
    return { data: await issueInvoice(ctx, operatorOf(request), input) };
  });
  route(http, endpoints.issueCreditNote, async (request, reply) => {
    void reply.code(201);
    return {
      data: await issueCreditNote(ctx, operatorOf(request), { ...request.params, ...request.body }),
    };
  });
  route(http, endpoints.downloadCompanyInvoice, async (request, reply) => {
    const wanted = { ...request.params, signal: goneSignal(reply) };
    return sendInvoice(reply, await downloadCompanyInvoice(ctx, operatorOf(request), wanted));
  });
}

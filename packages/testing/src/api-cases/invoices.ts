import { insertEntries } from '@bidwell/server/modules/money/store';
import { INVOICE_LIMITS, invoiceQueue } from '@bidwell/server/modules/money/invoices/pdf/invoice-worker-pool';
import { fillQueue } from '../held-queue.ts';
import { makeCampaign } from '../stored-events.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { v7 as uuidv7 } from 'uuid';
import { type Case, get, inOperator, post, read } from './case.ts';

const party = { legal_name: 'Example Ltd', address: '1 High Street\nDublin', country: 'IE', tax_id: '' };
const billingDetails = { ...party, email: null, currency: null };
const settings = {
  ...party,
  payment_text: '',
  invoice_prefix: 'INV',
  credit_note_prefix: 'CN',
  tax_rules: [],
  is_automatic: false,
};
const MONTH = '2026-01';
const HOUR = new Date('2026-01-15T10:00:00Z');

/** Functions that make what invoices need. */
function invoicesOf(app: TestApp) {
  /** A company with billing details and spend in January of 2026. */
  const charged = async (company: TestCompany): Promise<void> => {
    const { companyId } = company;
    await app.operator('PUT', '/invoice_settings', settings);
    await company.call('PUT', '/finance/billing_details', billingDetails);
    const uuid = uuidv7();
    await app.ctx.db
      .insertInto('ledger_transactions')
      .values({
        uuid,
        company_uuid: companyId,
        kind: 'spend',
        status: 'success',
        amount_micros: -10_000_000,
        description: 'Campaign',
        campaign_uuid: await makeCampaign(app.ctx, company, 'Campaign'),
        hour: HOUR,
      })
      .execute();
    const move = { from: 'wallet', to: 'media', micros: 10_000_000, at: HOUR } as const;
    await insertEntries(app.ctx.db, companyId, uuid, move);
  };
  const anInvoice = async (company: TestCompany): Promise<string> => {
    await charged(company);
    const { data } = await app.operator('POST', `/companies/${company.companyId}/invoices`, { month: MONTH });
    return data.uuid;
  };
  return { charged, anInvoice };
}

/** Cases for billing details, invoices and credit notes, of companies and of operators. */
export function invoiceCases(app: TestApp): Record<string, Case> {
  const { charged, anInvoice } = invoicesOf(app);
  return {
    'GET /api/internal/finance/billing_details': get('/finance/billing_details'),
    'PUT /api/internal/finance/billing_details': post('/finance/billing_details', billingDetails),
    'GET /api/internal/finance/invoices': get('/finance/invoices'),
    'GET /api/internal/finance/invoices/{uuid}/pdf': {
      good: async (company) => ({ path: `/finance/invoices/${await anInvoice(company)}/pdf` }),
      others: {
        429: async (good, company) => {
          await fillQueue(invoiceQueue, INVOICE_LIMITS, company.companyId);
          return read(good, company, {});
        },
      },
    },
    'GET /api/operator/invoice_settings': get('/invoice_settings'),
    'PUT /api/operator/invoice_settings': inOperator(() => '/invoice_settings', settings),
    'GET /api/operator/invoice_rates': get('/invoice_rates'),
    'PUT /api/operator/invoice_rates/{currency}': inOperator(
      () => '/invoice_rates/EUR',
      { date: '2026-01-30', per_dollar: 0.92, source: 'Central bank' },
      { nothing: (good) => ({ ...good, path: '/invoice_rates/euro' }) },
    ),
    'GET /api/operator/companies/{uuid}/billing_details': inOperator(
      ({ companyId }) => `/companies/${companyId}/billing_details`,
    ),
    'GET /api/operator/companies/{uuid}/invoices': inOperator(
      ({ companyId }) => `/companies/${companyId}/invoices`,
      undefined,
      { invalid: (good) => ({ path: `${good.path}?page=first` }) },
    ),
    'POST /api/operator/companies/{uuid}/invoices': inOperator(
      async (company) => {
        await charged(company);
        return `/companies/${company.companyId}/invoices`;
      },
      { month: MONTH },
      { conflict: (good) => good },
    ),
    'POST /api/operator/invoices/{uuid}/credit_notes': inOperator(
      async (company) => `/invoices/${await anInvoice(company)}/credit_notes`,
      { net: 10, reason: 'Test' },
      { conflict: (good) => good },
    ),
    'GET /api/operator/invoices/{uuid}/pdf': inOperator(
      async (company) => `/invoices/${await anInvoice(company)}/pdf`,
    ),
  };
}

import { PaymentInstructions } from '@bidwell/contract/finance/schema';
import { Invoice, type InvoiceSettings, SavedInvoiceSettings } from '@bidwell/contract/invoices/schema';
import type { Api } from './api.ts';

const HOUR_MS = 3_600_000;
/** From the end of a month to its invoice: late charges are in it. */
const INVOICED_AFTER_MS = 33 * HOUR_MS;

/** A month has charges if it contains at least this much of the history. */
const SPENT_AFTER_MS = 5 * 24 * HOUR_MS;

/** Who issues the demo's invoices, and how. */
const SETTINGS: InvoiceSettings = {
  legal_name: 'Bidwell Demo Operations Ltd',
  address: '3 Millrace Court\nDublin D08 X4T2',
  country: 'IE',
  tax_id: 'IE 1234567AB',
  payment_text:
    'The net amount is charged to your balance. If your balance is below zero, pay what it lacks as Finances, Top up says.',
  invoice_prefix: 'BW',
  credit_note_prefix: 'BWC',
  tax_rules: [
    { country: 'IE', buyers: 'all', label: 'VAT', rate_percent: 23, note: '' },
    {
      country: 'DE',
      buyers: 'with_tax_id',
      label: 'VAT',
      rate_percent: 0,
      note: 'Reverse charge: the recipient owes the tax.',
    },
  ],
  is_automatic: false,
};

const INSTRUCTIONS = `Bank transfer in US dollars to
Bidwell Demo Operations Ltd
IBAN IE64 IRCE 9205 0112 3456 78, BIC IRCEIE2D
Name your company in the reference. Transfers arrive within two working days.`;

/** Enters what companies are shown on how to pay, and what invoices say of the operator. Throws ApiError. */
export async function setUpBookkeeping(operator: Api): Promise<void> {
  await operator.send('PUT', '/payment_instructions', { instructions: INSTRUCTIONS }, PaymentInstructions);
  await operator.send('PUT', '/invoice_settings', SETTINGS, SavedInvoiceSettings);
}

/** The invoices of a company for the months of UTC that ended between two instants, each when it is issued. */
export function invoiceSteps(
  operator: Api,
  companyUuid: string,
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
): { atMs: number; run: () => Promise<void> }[] {
  const steps = [];
  const first = new Date(fromMs + SPENT_AFTER_MS);
  for (let month = first.getUTCMonth(); ; month += 1) {
    const atMs = Date.UTC(first.getUTCFullYear(), month + 1, 1) + INVOICED_AFTER_MS;
    // The hour in which it is issued is over.
    if (atMs > nowMs - HOUR_MS) return steps;
    const name = new Date(Date.UTC(first.getUTCFullYear(), month, 1)).toISOString().slice(0, 7);
    steps.push({
      atMs,
      run: async () =>
        void (await operator.send('POST', `/companies/${companyUuid}/invoices`, { month: name }, Invoice)),
    });
  }
}

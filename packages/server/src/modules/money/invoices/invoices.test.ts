import { MICROS } from '@bidwell/contract/lib/money';
import { makeCampaign } from '@bidwell/testing/stored-events';
import { pdfText } from '@bidwell/testing/files/pdf-text';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { runs } from '@bidwell/testing/whole-run';
import fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { TOKEN_HOLDER } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { creditCompany } from '../service.ts';
import { insertEntries } from '../store.ts';
import { createMessenger } from '../../messaging/messenger.ts';
import { invoiceMails } from './invoice-mail.ts';
import { issueDueInvoices, issueInvoice } from './issue.ts';
import { takeNumber } from './invoice-store.ts';

// No background job posts spend or issues invoices; these tests call both.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url });
const { ctx } = app;

const HOUR_MS = 3_600_000;

const seller = {
  legal_name: 'Seller Ltd',
  address: '1 High Street\nDublin',
  country: 'IE',
  tax_id: 'IE1234567A',
  payment_text: 'Paid from the balance.',
  invoice_prefix: 'INV',
  credit_note_prefix: 'CN',
  tax_rules: [
    { country: 'DE', buyers: 'with_tax_id', label: 'VAT', rate_percent: 0, note: 'Reverse charge.' },
    { country: 'DE', buyers: 'without_tax_id', label: 'VAT', rate_percent: 19, note: '' },
  ],
  is_automatic: false,
};
const buyer = {
  legal_name: 'Buyer GmbH',
  address: 'Hauptstraße 1, Berlin',
  country: 'DE',
  tax_id: '',
  email: null,
  currency: null,
};

/** Sends the waiting messages, as the process that leads the jobs does: without jobs none leads on servers. */
async function sendMails(): Promise<void> {
  const messenger = createMessenger(ctx, [invoiceMails]);
  await messenger.tick();
  await messenger.idle();
}

let prefixes = 0;
/** Settings with a prefix of their own, so that numbers begin with 1. */
async function withSettings(over: object = {}): Promise<string> {
  prefixes += 1;
  const prefix = `T${prefixes}`;
  const settings = { ...seller, invoice_prefix: prefix, credit_note_prefix: `${prefix}-CN`, ...over };
  expect((await app.operator('PUT', '/invoice_settings', settings)).status).toBe(200);
  return prefix;
}

/** Posts spend of an hour, which may be long ago, to the ledger directly; `at` is when it is counted. */
async function post(
  company: { companyId: string },
  campaignId: string,
  hour: Date,
  micros: number,
  at = hour,
) {
  const uuid = uuidv7();
  await ctx.db
    .insertInto('ledger_transactions')
    .values({
      uuid,
      company_uuid: company.companyId,
      kind: 'spend',
      status: 'success',
      amount_micros: -micros,
      description: 'Campaign',
      campaign_uuid: campaignId,
      hour,
    })
    .execute();
  await insertEntries(ctx.db, company.companyId, uuid, { from: 'wallet', to: 'media', micros, at });
}

/** A company with billing details, and its campaigns. Its session began in January of 2026. */
async function aBuyer(over: object = {}) {
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const company = await app.freshCompany();
  const { companyId } = company;
  expect((await company.call('PUT', '/finance/billing_details', { ...buyer, ...over })).status).toBe(200);
  await ctx.db
    .updateTable('billing_details')
    .set({ email_confirmed_at: app.clock.now })
    .where('company_uuid', '=', companyId)
    .execute();
  await creditCompany(ctx, TOKEN_HOLDER, { companyId, micros: 1000 * MICROS, reason: 'Start' });
  const campaigns = [await makeCampaign(ctx, company, 'One'), await makeCampaign(ctx, company, 'Two')];
  const spend = async (at: string, micros: number, campaign = 0) => {
    const hour = new Date(Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS);
    app.clock.now = new Date(Math.max(app.clock.now.getTime(), hour.getTime() + HOUR_MS));
    await post({ companyId }, campaigns[campaign]!, hour, micros, app.clock.now);
  };
  const issue = async (month: string) => app.operator('POST', `/companies/${companyId}/invoices`, { month });
  /** Spends in January, and issues its invoice in February. */
  const invoiced = async (micros: number) => {
    await spend('2026-01-10T10:00:00Z', micros);
    app.clock.now = new Date('2026-02-02T00:00:00Z');
    return issue('2026-01');
  };
  return { company, companyId, campaigns, spend, issue, invoiced };
}

async function listOf(company: TestCompany) {
  const session = app.clock.now;
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const { data } = await company.call('GET', '/finance/invoices');
  app.clock.now = session;
  return data.invoices;
}

/** The text of an invoice as an operator downloads it. */
async function textOf(uuid: string): Promise<string[]> {
  const { rawPayload, headers } = await app.http.inject({
    method: 'GET',
    url: `/api/operator/invoices/${uuid}/pdf`,
    headers: { authorization: `Bearer ${ctx.config.operatorToken}` },
  });
  expect(headers['content-type']).toBe('application/pdf');
  return pdfText(rawPayload);
}

test('the invoice of a month has the spend of the ledger by campaign, tax by the rule of the country, and a number', async () => {
  const prefix = await withSettings();
  const { company, companyId, spend, issue } = await aBuyer();
  await spend('2026-01-10T10:00:00Z', 12_345_678);
  await spend('2026-01-31T23:30:00Z', 7_004_999, 1);
  await spend('2026-02-01T00:30:00Z', 500_000, 1);
  const { status, data } = await issue('2026-01');
  expect(status).toBe(201);
  expect(data).toMatchObject({
    kind: 'invoice',
    number: `${prefix}-2026-00001`,
    month: '2026-01',
    net: 19.35,
    tax: 3.68,
    total: 23.03,
    corrects: null,
    credited: 0,
  });
  const statement = await app.operator('GET', `/companies/${companyId}/statement?month=2026-01`);
  expect(statement.data.totals.spend).toBe(-19.350677);
  expect(await textOf(data.uuid)).toEqual(
    expect.arrayContaining(['One', '12.35', 'Two', '7.00', 'Net', '19.35', 'VAT 19%', '3.68', '23.03']),
  );
  expect(await listOf(company)).toEqual([data]);
  const notes = await ctx.db
    .selectFrom('notifications')
    .select('text')
    .where('company_uuid', '=', companyId)
    .where('title', '=', 'New invoice')
    .execute();
  expect(notes).toEqual([{ text: `Invoice ${prefix}-2026-00001 over $23.03 is in your finances.` }]);
});

test('spend that comes late is on the next invoice, so that all invoices sum to the ledger', async () => {
  await withSettings();
  const { companyId, spend, issue } = await aBuyer();
  await spend('2026-01-10T10:00:00Z', 1_003_000);
  app.clock.now = new Date('2026-02-01T01:00:00Z');
  const january = (await issue('2026-01')).data;
  await spend('2026-01-31T22:00:00Z', 2_000_000);
  await spend('2026-02-10T10:00:00Z', 4_001_000);
  app.clock.now = new Date('2026-03-02T00:00:00Z');
  const february = (await issue('2026-02')).data;
  expect([january.net, february.net]).toEqual([1, 6]);
  expect(await textOf(february.uuid)).toEqual(
    expect.arrayContaining(['Media spend of earlier months, on no invoice so far', '2.00', '4.00']),
  );
  const { rows } = await sql<{ charged: number; spent: number }>`
    select (select sum(charged_micros)::bigint from invoices where company_uuid = ${companyId}) as charged,
      (select -sum(amount_micros)::bigint from ledger_transactions
        where company_uuid = ${companyId} and kind = 'spend') as spent`.execute(ctx.db);
  expect(rows).toEqual([{ charged: 7_004_000, spent: 7_004_000 }]);
});

test('the first invoice has the spend of earlier months too, which have no invoice', async () => {
  await withSettings();
  const { spend, issue } = await aBuyer();
  await spend('2026-01-30T10:00:00Z', 3_000_000);
  await spend('2026-02-10T10:00:00Z', 5_000_000);
  app.clock.now = new Date('2026-03-02T00:00:00Z');
  const { data } = await issue('2026-02');
  expect(data.net).toBe(8);
  expect(await textOf(data.uuid)).toEqual(
    expect.arrayContaining(['Media spend of earlier months, on no invoice so far', '3.00', '5.00']),
  );
});

test('a month is invoiced once, after its end, in the order of the months, and not without charges', async () => {
  const prefix = await withSettings();
  const { companyId, spend, issue } = await aBuyer();
  const readLastMonth = async () =>
    (await app.operator('GET', `/companies/${companyId}/invoices`)).data.last_month;
  await spend('2026-02-10T10:00:00Z', 5_000_000);
  expect((await issue('2026-02')).data).toBe('The month 2026-02 is not over yet.');
  app.clock.now = new Date('2026-03-02T00:00:00Z');
  expect((await issue('2026-01')).data).toBe('There is nothing to invoice for this month.');
  expect(await readLastMonth()).toBeNull();
  expect((await issue('2026-02')).status).toBe(201);
  expect(await readLastMonth()).toBe('2026-02');
  const again = await issue('2026-02');
  expect([again.status, again.data]).toEqual([
    409,
    `The month has an invoice already: ${prefix}-2026-00001.`,
  ]);
  expect((await issue('2026-01')).data).toBe(
    'There is an invoice of 2026-02 already, and invoices follow the months.',
  );
});

test('a prefix is taken with and without a hyphen at its end, and numbers have one', async () => {
  const settings = { ...seller, invoice_prefix: 'HYPHEN-', credit_note_prefix: 'HYPHEN-C-' };
  const { status, data } = await app.operator('PUT', '/invoice_settings', settings);
  expect(status).toBe(200);
  expect(data.settings).toMatchObject({ invoice_prefix: 'HYPHEN', credit_note_prefix: 'HYPHEN-C' });
  const { invoiced } = await aBuyer();
  expect((await invoiced(5_000_000)).data.number).toBe('HYPHEN-2026-00001');
  const same = await app.operator('PUT', '/invoice_settings', { ...settings, credit_note_prefix: 'HYPHEN' });
  expect(same.status).toBe(422);
});

test('invoices of many companies at once have numbers without gaps, also where one of them fails', async () => {
  const prefix = await withSettings();
  const buyers = [];
  for (let n = 0; n < 6; n += 1) {
    const one = await aBuyer();
    if (n !== 2) await one.spend('2026-01-10T10:00:00Z', 1_000_000);
    buyers.push(one);
  }
  app.clock.now = new Date('2026-02-02T00:00:00Z');
  const failing = transact(ctx.db, async (tx) => {
    await takeNumber(tx.db, prefix, 2026);
    throw new Error('after the number was taken');
  });
  const [failed, ...issued] = await Promise.allSettled([
    failing,
    ...buyers.map(({ companyId }) => issueInvoice(ctx, TOKEN_HOLDER, { companyId, month: '2026-01' })),
  ]);
  expect(failed.status).toBe('rejected');
  const numbers = issued.flatMap((one) => (one.status === 'fulfilled' ? one.value.number : []));
  expect(numbers.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `${prefix}-2026-0000${n}`));
});

test('two calls for the same month at once issue one invoice', async () => {
  const prefix = await withSettings();
  const { companyId, spend } = await aBuyer();
  await spend('2026-01-10T10:00:00Z', 1_000_000);
  app.clock.now = new Date('2026-02-02T00:00:00Z');
  const twice = await Promise.allSettled(
    [1, 2].map(() => issueInvoice(ctx, TOKEN_HOLDER, { companyId, month: '2026-01' })),
  );
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { last } = await ctx.db
    .selectFrom('invoice_numbers')
    .select('last')
    .where('prefix', '=', prefix)
    .executeTakeFirstOrThrow();
  expect(last).toBe(1);
});

test('an issued invoice stays as it was: new details are on the next one, and the database rejects changes', async () => {
  await withSettings();
  const { company, invoiced } = await aBuyer();
  const { data } = await invoiced(1_000_000);
  const before = await textOf(data.uuid);
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  await company.call('PUT', '/finance/billing_details', { ...buyer, legal_name: 'Renamed GmbH' });
  await withSettings({ legal_name: 'Other Seller', tax_rules: [] });
  expect(await textOf(data.uuid)).toEqual(before);
  expect(before).toContain('Buyer GmbH');
  const invoices = ctx.db.updateTable('invoices').set({ net_cents: 1 }).where('uuid', '=', data.uuid);
  await expect(invoices.execute()).rejects.toThrow('invoices are never changed');
  await expect(ctx.db.deleteFrom('invoices').where('uuid', '=', data.uuid).execute()).rejects.toThrow(
    'invoices are never changed',
  );
});

test('the credit note of the rest returns all remaining tax, where the parts round to less', async () => {
  await withSettings();
  const { company, invoiced } = await aBuyer();
  const { uuid, tax } = (await invoiced(10_050_000)).data;
  expect(tax).toBe(1.91);
  const credit = async (net: number) =>
    (await app.operator('POST', `/invoices/${uuid}/credit_notes`, { net, reason: 'Wrong campaign' })).data;
  // 19% of $9.13 alone are $1.73.
  expect([(await credit(0.92)).tax, (await credit(9.13)).tax]).toEqual([0.17, 1.74]);
  expect((await listOf(company)).at(-1)).toMatchObject({ total: 11.96, credited: 11.96 });
});

test('a company sees how many invoices it has, regardless of other companies', async () => {
  await withSettings();
  for (let companies = 0; companies < 2; companies += 1) {
    const { company, invoiced } = await aBuyer();
    await invoiced(10_000_000);
    app.clock.now = new Date('2026-01-05T15:00:00Z');
    expect((await company.call('GET', '/finance/invoices')).data).toMatchObject({ total: 1 });
  }
});

test('credit notes have numbers of their own, and take back no more than the invoice with its tax', async () => {
  const prefix = await withSettings();
  const { company, invoiced } = await aBuyer();
  const invoice = (await invoiced(10_010_000)).data;
  expect(invoice).toMatchObject({ net: 10.01, tax: 1.9, total: 11.91 });
  const credit = (net: number, uuid = invoice.uuid) =>
    app.operator('POST', `/invoices/${uuid}/credit_notes`, { net, reason: 'Wrong campaign' });
  const first = await credit(3.33);
  expect(first.data).toMatchObject({
    kind: 'credit_note',
    number: `${prefix}-CN-2026-00001`,
    month: null,
    net: 3.33,
    tax: 0.63,
    corrects: invoice.number,
  });
  const beyond = await credit(6.69);
  expect([beyond.status, beyond.data]).toEqual([409, 'At most $6.68 of the invoice can be credited.']);
  const rest = await credit(6.68);
  expect(rest.data).toMatchObject({ number: `${prefix}-CN-2026-00002`, net: 6.68, tax: 1.27 });
  expect((await credit(0.01, first.data.uuid)).data).toBe(
    'A credit note corrects an invoice, not another credit note.',
  );
  const listed = await listOf(company);
  expect(listed.find(({ uuid }: { uuid: string }) => uuid === invoice.uuid).credited).toBe(11.91);
  expect(await textOf(first.data.uuid)).toEqual(
    expect.arrayContaining(['Credit note', 'Wrong campaign', '3.33', 'VAT 19%', '0.63', '3.96']),
  );
});

test('the total is also in the currency of the company at the last rate of a week, and in dollars only without one', async () => {
  await withSettings();
  const rate = (currency: string, date: string, per_dollar: number) =>
    app.operator('PUT', `/invoice_rates/${currency}`, { date, per_dollar, source: 'Central bank' });
  await rate('EUR', '2026-01-30', 0.9234);
  await rate('EUR', '2026-02-03', 0.5);
  await rate('JPY', '2026-01-20', 156.25);
  const totals: string[][] = [];
  for (const currency of ['EUR', 'JPY', 'SEK']) {
    const { invoiced } = await aBuyer({ currency, tax_id: 'DE123456789' });
    const text = await textOf((await invoiced(100_000_000)).data.uuid);
    expect(text).toEqual(expect.arrayContaining(['VAT 0%', 'Reverse charge.', 'Total in USD', '100.00']));
    totals.push(text.filter((piece) => piece.includes('Total in') || piece.includes('1 USD')));
    if (currency === 'EUR') expect(text).toContain('92.34');
  }
  expect(totals).toEqual([
    [
      'Total in USD',
      'Total in EUR',
      'The total in EUR is for information: 1 USD = 0.9234 EUR on 30 Jan 2026 (Central bank).',
    ],
    ['Total in USD'],
    ['Total in USD'],
  ]);
  expect((await app.operator('GET', '/invoice_rates')).data.rates).toEqual([
    { currency: 'EUR', date: '2026-02-03', per_dollar: 0.5, source: 'Central bank' },
    { currency: 'JPY', date: '2026-01-20', per_dollar: 156.25, source: 'Central bank' },
  ]);
});

test.each([
  ['JPY', 156.255, '15,626'],
  ['KWD', 0.307_105, '30.711'],
])('a total in %s has the decimals of the currency', async (currency, per_dollar, total) => {
  await withSettings();
  await app.operator('PUT', `/invoice_rates/${currency}`, {
    date: '2026-02-01',
    per_dollar,
    source: 'Central bank',
  });
  const { invoiced } = await aBuyer({ currency, tax_id: 'DE123456789' });
  const text = await textOf((await invoiced(100_000_000)).data.uuid);
  expect(text).toEqual(expect.arrayContaining([`Total in ${currency}`, total]));
});

test('where the operator has chosen it, the server issues the invoices of the last month a day after its end', async () => {
  const prefix = await withSettings();
  const one = await aBuyer();
  await one.spend('2026-01-10T10:00:00Z', 1_000_000);
  const idle = await aBuyer();
  // The spend before the last month is on the first invoice too.
  const early = await aBuyer();
  await post(early, early.campaigns[0]!, new Date('2025-11-10T10:00:00Z'), 2_000_000);
  app.clock.now = new Date('2026-02-03T00:00:00Z');
  await issueDueInvoices(ctx);
  expect(await listOf(one.company)).toEqual([]);
  await app.operator('PUT', '/invoice_settings', {
    ...seller,
    invoice_prefix: prefix,
    is_automatic: true,
  });
  app.clock.now = new Date('2026-02-01T23:00:00Z');
  await issueDueInvoices(ctx);
  expect(await listOf(one.company)).toEqual([]);
  app.clock.now = new Date('2026-02-02T00:30:00Z');
  await issueDueInvoices(ctx);
  await issueDueInvoices(ctx);
  expect(await listOf(one.company)).toMatchObject([{ month: '2026-01', net: 1 }]);
  expect(await listOf(early.company)).toMatchObject([{ month: '2025-12', net: 2 }]);
  expect(await listOf(idle.company)).toEqual([]);
  await withSettings();
});

test('without the details of the seller or the buyer nothing is issued, and details that cannot be shown are refused', async () => {
  await withSettings();
  app.clock.now = new Date('2026-01-05T15:00:00Z');
  const company = await app.freshCompany();
  const { status, data } = await app.operator('POST', `/companies/${company.companyId}/invoices`, {
    month: '2025-12',
  });
  expect([status, data]).toEqual([409, 'The company has not entered its billing details yet.']);
  const refused = await company.call('PUT', '/finance/billing_details', { ...buyer, legal_name: '中文 Ltd' });
  expect([refused.status, refused.errors]).toEqual([
    422,
    [
      {
        field: 'legal_name',
        message: 'Invoices cannot show these characters: 中 文. Use Latin, Greek or Cyrillic letters.',
      },
    ],
  ]);
  expect((await company.call('GET', '/finance/billing_details')).data).toEqual({
    billing_details: null,
    needs_email_confirmation: false,
  });
});

test('whichever events come late and whichever months are left out, the lines of all invoices sum to the ledger', async () => {
  await withSettings();
  const hourOf = (index: number) => Date.UTC(2026, 0, 1) + index * HOUR_MS;
  const HOURS = 24 * 120;
  const step = fc.oneof(
    fc.record({
      hour: fc.nat(HOURS - 1),
      micros: fc.integer({ min: 1, max: 20_000_000 }),
      campaign: fc.nat(1),
    }),
    fc.record({ month: fc.constantFrom('2026-01', '2026-02', '2026-03', '2026-04') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { companyId, campaigns, issue } = await aBuyer();
      const used = new Set<string>();
      app.clock.now = new Date('2026-06-02T00:00:00Z');
      for (const one of steps)
        if ('month' in one) await issue(one.month);
        else if (!used.has(`${one.campaign} ${one.hour}`)) {
          used.add(`${one.campaign} ${one.hour}`);
          await post({ companyId }, campaigns[one.campaign]!, new Date(hourOf(one.hour)), one.micros);
        }
      await post({ companyId }, campaigns[0]!, new Date('2026-05-20T00:00:00Z'), 1_000_000);
      expect((await issue('2026-05')).status).toBe(201);
      const rows = await ctx.db
        .selectFrom('invoices')
        .selectAll()
        .where('company_uuid', '=', companyId)
        .orderBy('period_from')
        .execute();
      const { rows: spent } = await sql<{ micros: number }>`
        select -sum(amount_micros)::bigint as micros from ledger_transactions
        where company_uuid = ${companyId} and kind = 'spend'`.execute(ctx.db);
      for (const { snapshot, net_cents: net } of rows)
        expect(snapshot.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(net);
      const charged = rows
        .flatMap(({ snapshot }) => snapshot.lines)
        .reduce((sum, { micros }) => sum + micros!, 0);
      expect(charged).toBe(spent[0]!.micros);
    }),
    runs(8),
  );
});

test('an invoice is mailed as a file to the address of the billing details', async () => {
  const prefix = await withSettings();
  const { invoiced } = await aBuyer({ email: 'books@example.com' });
  const { data } = await invoiced(10_000_000);
  await app.operator('POST', `/invoices/${data.uuid}/credit_notes`, { net: 1, reason: 'Test' });
  await sendMails();
  const texts = await eventually(() => {
    const own = mails.filter(({ to, text }) => to === 'books@example.com' && text.includes('issued.'));
    const found = own.map(({ text }) => text);
    expect(found).toHaveLength(2);
    return found;
  });
  const invoice = `Invoice ${prefix}-2026-00001 of Seller Ltd for Buyer GmbH, Jan 2026, over $11.90 was issued.`;
  const mail = texts.find((text) => text.includes(invoice));
  expect(mail).toContain('http://bidwell.test/finances?view=invoices');
  expect(mail).toContain(`Subject: Invoice ${prefix}-2026-00001, Jan 2026\r\n`);
  const note = `Credit note ${prefix}-CN-2026-00001 of Seller Ltd for Buyer GmbH, which corrects invoice ${prefix}-2026-00001, over $1.19 was issued.`;
  expect(texts.join('')).toContain(note);
  for (const text of texts) {
    expect(text).toMatch(/filename="?[\w-]+-2026-00001\.pdf/);
    // The first bytes of a PDF, in base64.
    expect(text).toContain('JVBERi');
  }
});

test('the mail of an invoice waits from its issue on, and is sent once by the next process', async () => {
  const prefix = await withSettings();
  const email = 'waits@example.com';
  const { companyId, spend } = await aBuyer({ email });
  await spend('2026-01-10T10:00:00Z', 10_000_000);
  app.clock.now = new Date('2026-02-02T00:00:00Z');
  // The process is killed before it sends anything.
  const killed = { ...ctx, onMessageQueued: () => {} };
  await issueInvoice(killed, TOKEN_HOLDER, { companyId, month: '2026-01' });
  const waiting = ctx.db
    .selectFrom('messages')
    .select(['kind', 'about'])
    .where('company_uuid', '=', companyId)
    .where('kind', '=', 'invoice');
  expect(await waiting.execute()).toEqual([{ kind: 'invoice', about: `${prefix}-2026-00001` }]);
  const own = () => mails.filter((mail) => mail.to === email && mail.text.includes('issued.'));
  expect(own()).toEqual([]);
  await sendMails();
  await sendMails();
  expect(own()).toHaveLength(1);
  expect(await waiting.execute()).toEqual([]);
});

test('a name that a company chooses is neither a link nor HTML in the mail of its invoice', async () => {
  await withSettings();
  const email = 'a.stranger@example.com';
  const { invoiced } = await aBuyer({ email, legal_name: '<a>Prizes</a> https://evil.example/win' });
  await invoiced(10_000_000);
  await sendMails();
  const text = await eventually(() => {
    const found = mails.find((mail) => mail.to === email && mail.text.includes('issued.'));
    expect(found).toBeDefined();
    return found!.text;
  });
  expect(text).toContain('for <a>Prizes</a> https: //evil.=E2=81=A0example/win, Jan 2026');
  expect(text).toContain('for &lt;a&gt;Prizes&lt;/a&gt; https: //evil.=E2=81=A0example/win, Jan 2026');
  expect(text).not.toContain('evil.example');
});

test('an invoice keeps the name and the logo of the installation with which it was issued, as its credit notes do', async () => {
  const pdfOf = async (uuid: string) => {
    const { rawPayload } = await app.http.inject({
      url: `/api/operator/invoices/${uuid}/pdf`,
      headers: { authorization: `Bearer ${ctx.config.operatorToken}` },
    });
    return rawPayload.toString('latin1');
  };
  await withSettings();
  const { spend, issue } = await aBuyer();
  await spend('2026-01-10T10:00:00Z', 10_000_000);
  app.clock.now = new Date('2026-02-02T00:00:00Z');
  const own = (await app.operator('GET', '/brand')).data.settings;
  await app.operator('PUT', '/brand', { ...own, name: 'Acme Ads' });
  await app.operator('PUT', '/brand/logo', { image: (await picture(300, 100)).toString('base64') });
  const { data } = await issue('2026-01');
  await app.operator('PUT', '/brand', own);
  await app.operator('DELETE', '/brand/logo');
  const note = await app.operator('POST', `/invoices/${data.uuid}/credit_notes`, { net: 1, reason: 'Test' });
  for (const uuid of [data.uuid, note.data.uuid]) {
    const pdf = await pdfOf(uuid);
    expect(pdf).toContain('/Alt (Acme Ads)');
    expect(pdf).toMatch(/\/Subtype \/Image[\s\S]*?\/Width 300/);
  }
});

import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { type CreditNoteInput, type Invoice, invoiceNumber } from '@bidwell/contract/invoices/schema';
import { invoiceApiMessages } from '@bidwell/contract/invoices/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { shareBrand } from '../../../platform/brand/brand-reader.ts';
import { type Operator, SERVER, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { recordOperatorChange } from '../../changes/public.ts';
import { type Charges, chargesIn, creditNoteSnapshot, invoiceSnapshot, linesOf } from './snapshot.ts';
import { notify } from '../../messaging/public.ts';
import { taxCents } from './amounts.ts';
import { queueInvoiceMail } from './invoice-mail.ts';
import {
  type InvoiceRow,
  companyOfInvoice,
  creditedCents,
  findBillingDetails,
  findSettings,
  insertInvoice,
  invoicedSoFar,
  lockCompany,
  numberOfMonth,
  takeNumber,
  centsText,
  presentInvoice,
} from './invoice-store.ts';
import { rateBetween } from './settings.ts';
import { sql } from 'kysely';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';

const DAY_MS = 86_400_000;
/** A month's invoice is issued automatically this long after its end: late spend is in it, not in the next one. */
const AUTOMATIC_AFTER_MS = DAY_MS;
/** Weekends and holidays have no rate: the latest rate of up to this many days before applies. */
const RATE_DAYS = 7;
const COMPANIES_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Issues the invoice of a company for a month (YYYY-MM) of its time zone: the ledger's charges in it, and charges that no invoice has of earlier
 * months. Throws NotFound; Conflict if the month is not over, has an invoice, is before the last one or has no
 * charges, and where the seller's or the buyer's details are missing.
 */
export async function issueInvoice(
  ctx: Context,
  operator: Operator,
  { companyId, month }: { companyId: string; month: string },
): Promise<Invoice> {
  requireOperatorPermission(operator, 'money.write');
  return issue(ctx, operator, { companyId, month });
}

async function issue(
  ctx: Context,
  operator: Operator,
  { companyId, month }: { companyId: string; month: string },
): Promise<Invoice> {
  return transact(ctx.db, async (tx) => {
    const company = await lockCompany(tx.db, companyId);
    if (!company) throw new NotFound('Company');
    const settings = await findSettings(tx.db);
    if (!settings) throw new Conflict(invoiceApiMessages.invoiceSettings);
    const details = await findBillingDetails(tx.db, companyId);
    if (!details) throw new Conflict(invoiceApiMessages.invoiceBilling);
    const { from, before, charges } = await chargesOfMonth(ctx, tx, {
      companyId,
      month,
      timeZone: company.time_zone,
    });
    const lines = linesOf(charges);
    if (lines.reduce((sum, { cents }) => sum + cents, 0) <= 0)
      throw new Conflict(invoiceApiMessages.invoiceNothing);
    const now = ctx.now();
    const numbered = await nextNumber(tx, settings.invoice_prefix, now);
    const issuedOn = now.toISOString().slice(0, 10);
    const brand = await shareBrand(tx.db);
    const snapshot = invoiceSnapshot({
      number: numbered.number,
      issuedOn,
      period: {
        month,
        firstDay: dateAt(from.getTime(), company.time_zone),
        lastDay: dateAt(before.getTime() - 1, company.time_zone),
        timeZone: company.time_zone,
      },
      settings,
      details,
      lines,
      product: brand.settings.name,
      rate: details.currency
        ? await rateBetween(tx.db, details.currency, {
            first: addDays(issuedOn, -RATE_DAYS),
            last: issuedOn,
          })
        : undefined,
    });
    const row = await insertInvoice(tx.db, {
      ...numbered,
      uuid: uuidv7(),
      company_uuid: companyId,
      kind: 'invoice',
      month,
      period_from: from,
      period_before: before,
      corrects_uuid: null,
      charged_micros: lines.reduce((sum, { micros }) => sum + micros!, 0),
      net_cents: snapshot.netCents,
      tax_cents: snapshot.tax?.cents ?? 0,
      snapshot: JSON.stringify(snapshot),
      logo_sha256: brand.logoSha256,
      issued_at: now,
    });
    await announce(ctx, tx, operator, { row, companyName: company.name });
    await queueInvoiceMail(ctx, tx, { row, email: details.email });
    return presentInvoice({ ...row, corrects: null, credited_cents: 0 });
  });
}

/** The charges of a month that no invoice has yet; see {@link issueInvoice}. */
async function chargesOfMonth(
  ctx: Context,
  tx: Tx,
  { companyId, month, timeZone }: { companyId: string; month: string; timeZone: string },
): Promise<{ from: Date; before: Date; charges: Charges }> {
  const first = `${month}-01`;
  const before = new Date(startOfDayMs(`${addDays(first, 31).slice(0, 7)}-01`, timeZone));
  if (ctx.now() < before) throw new Conflict(invoiceApiMessages.invoiceMonthOpen(month));
  const number = await numberOfMonth(tx.db, companyId, month);
  if (number !== undefined) throw new Conflict(invoiceApiMessages.invoiceExists(number));
  const invoiced = await invoicedSoFar(tx.db, companyId);
  if (invoiced.lastMonth !== null && invoiced.lastMonth > month)
    throw new Conflict(invoiceApiMessages.invoiceOrder(invoiced.lastMonth));
  // After a change of the time zone a month may begin before the end of the last one's charges.
  const fromMs = Math.max(startOfDayMs(first, timeZone), invoiced.until?.getTime() ?? 0);
  const from = new Date(Math.min(fromMs, before.getTime()));
  const read = await chargesIn(tx.db, companyId, { from, before });
  return { from, before, charges: { ...read, earlierMicros: read.earlierMicros - invoiced.micros } };
}

/**
 * Issues a credit note over a part of an invoice, or all of it, with its tax. It moves no money: a credit does. Throws NotFound; Conflict
 * beyond the rest of the invoice.
 */
export async function issueCreditNote(
  ctx: Context,
  operator: Operator,
  { uuid, net, reason }: { uuid: string } & CreditNoteInput,
): Promise<Invoice> {
  requireOperatorPermission(operator, 'money.write');
  return transact(ctx.db, async (tx) => {
    const companyId = await companyOfInvoice(tx.db, uuid);
    const company = companyId && (await lockCompany(tx.db, companyId));
    if (!company) throw new NotFound('Invoice');
    const invoice = (await findOwned(tx.db, 'invoices', companyId, uuid))!;
    if (invoice.kind !== 'invoice') throw new Conflict(invoiceApiMessages.creditNoteOfNote);
    const settings = await findSettings(tx.db);
    if (!settings) throw new Conflict(invoiceApiMessages.invoiceSettings);
    const credited = await creditedCents(tx.db, companyId, uuid);
    const netCents = Math.round(net * 100);
    const leftCents = invoice.net_cents - credited.net;
    if (netCents > leftCents) throw new Conflict(invoiceApiMessages.creditNoteMax(centsText(leftCents)));
    const leftTaxCents = invoice.tax_cents - credited.tax;
    const tax =
      netCents === leftCents
        ? leftTaxCents
        : Math.min(leftTaxCents, taxCents(netCents, invoice.snapshot.tax?.rate_percent ?? 0));
    const now = ctx.now();
    const numbered = await nextNumber(tx, settings.credit_note_prefix, now);
    const snapshot = creditNoteSnapshot(invoice.snapshot, {
      number: numbered.number,
      issuedOn: now.toISOString().slice(0, 10),
      netCents,
      taxCents: tax,
      reason,
    });
    const row = await insertInvoice(tx.db, {
      ...numbered,
      uuid: uuidv7(),
      company_uuid: companyId,
      kind: 'credit_note',
      month: null,
      period_from: null,
      period_before: null,
      corrects_uuid: uuid,
      charged_micros: 0,
      net_cents: netCents,
      tax_cents: tax,
      snapshot: JSON.stringify(snapshot),
      logo_sha256: invoice.logo_sha256,
      issued_at: now,
    });
    const details = await findBillingDetails(tx.db, companyId);
    await announce(ctx, tx, operator, { row, companyName: company.name, reason });
    await queueInvoiceMail(ctx, tx, { row, email: details?.email ?? null });
    return presentInvoice({ ...row, corrects: invoice.number, credited_cents: 0 });
  });
}

/** The next number of a prefix in the year of an instant, in UTC. */
async function nextNumber(
  tx: Tx,
  prefix: string,
  now: Date,
): Promise<Pick<InvoiceRow, 'number' | 'prefix' | 'year' | 'sequence'>> {
  const year = now.getUTCFullYear();
  const sequence = await takeNumber(tx.db, prefix, year);
  return { prefix, year, sequence, number: invoiceNumber(prefix, year, sequence) };
}

/** Writes both logs and notifies the company. */
async function announce(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { row, companyName, reason }: { row: InvoiceRow; companyName: string; reason?: string },
): Promise<void> {
  const { company_uuid: companyId, kind, number, net_cents: net, tax_cents: tax } = row;
  await recordOperatorChange(ctx, tx, operator, {
    companyId,
    entity: 'company',
    uuid: companyId,
    name: companyName,
    done: kind === 'invoice' ? 'Issued an invoice to' : 'Issued a credit note to',
    ...(reason !== undefined && { reason }),
    before: { [kind]: null },
    after: { [kind]: number },
    audited: { net: net / 100, tax: tax / 100 },
  });
  const total = centsText(net + tax);
  await notify(ctx, tx, companyId, {
    kind: 'company',
    ...(kind === 'invoice'
      ? notificationMessages.invoiceIssued(number, total)
      : notificationMessages.creditNoteIssued(number, total)),
    entity: { type: 'company', uuid: companyId },
  });
}

/**
 * Issues the invoices of months that ended a day ago or longer, where the operator has chosen it. Companies without billing details or
 * charges are left out; one that fails does not stop the others.
 */
export async function issueDueInvoices(ctx: Context): Promise<void> {
  const settings = await findSettings(ctx.db);
  if (!settings?.is_automatic) return;
  const at = new Date(ctx.now().getTime() - AUTOMATIC_AFTER_MS);
  for (let after = FIRST_ID; ;) {
    const companies = await dueCompanies(ctx.db, { at, after, limit: COMPANIES_AT_ONCE });
    for (const { uuid: companyId, month } of companies)
      try {
        await issue(ctx, SERVER, { companyId, month });
      } catch (error) {
        if (!(error instanceof Conflict))
          ctx.log.error({ err: error, companyId }, 'an invoice was not issued');
      }
    if (companies.length < COMPANIES_AT_ONCE) return;
    after = companies.at(-1)!.uuid;
  }
}

/** A company whose last month has no invoice yet. */
interface DueCompany {
  uuid: string;
  /** YYYY-MM. */
  month: string;
}

/**
 * Companies with billing details whose last month in their time zone was over at an instant, with spend since it began, or any before the
 * first invoice, and no invoice, in the order of their ids. Covers all companies, for the job.
 */
async function dueCompanies(
  db: Db,
  { at, after, limit }: { at: Date; after: string; limit: number },
): Promise<DueCompany[]> {
  const { rows } = await sql<DueCompany>`
    select d.uuid, to_char(d.first_day, 'YYYY-MM') as month
    from (
      select c.uuid, c.time_zone,
        date_trunc('month', ${at}::timestamptz at time zone c.time_zone) - interval '1 month' as first_day
      from companies c join billing_details b on b.company_uuid = c.uuid
      where c.uuid > ${after}
    ) as d
    where not exists (
        select from invoices i where i.company_uuid = d.uuid and i.month >= to_char(d.first_day, 'YYYY-MM'))
      and exists (
        select from ledger_transactions t
        where t.company_uuid = d.uuid and t.kind = 'spend' and (
          t.hour >= d.first_day at time zone d.time_zone
          or not exists (select from invoices i where i.company_uuid = d.uuid)))
    order by d.uuid limit ${limit}`.execute(db);
  return rows;
}

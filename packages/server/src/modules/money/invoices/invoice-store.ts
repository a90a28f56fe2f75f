import type {
  BillingDetails,
  InvoiceKind,
  InvoiceSettings,
  Invoice,
} from '@bidwell/contract/invoices/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import { type Insertable, type Selectable, sql } from 'kysely';
import { exactSum, json } from '../../../platform/postgres/client.ts';
import type { InvoiceTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { dollarsText } from '@bidwell/contract/lib/number-text';

export type InvoiceRow = Selectable<InvoiceTable>;

/** Who issues invoices, and how; undefined until an operator has entered it. */
export async function findSettings(db: Db): Promise<InvoiceSettings | undefined> {
  return (await db.selectFrom('invoice_settings').select('settings').executeTakeFirst())?.settings;
}

export async function saveSettings(db: Db, settings: InvoiceSettings): Promise<void> {
  const text = json(settings);
  await db
    .insertInto('invoice_settings')
    .values({ settings: text })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ settings: text }))
    .execute();
}

export async function findBillingDetails(db: Db, companyId: string): Promise<BillingDetails | undefined> {
  const row = await db
    .selectFrom('billing_details')
    .select('details')
    .where('company_uuid', '=', companyId)
    .executeTakeFirst();
  return row?.details;
}

/** Whether an address is the one of a company's billing details, and its holder has confirmed it. */
export async function isBillingAddressConfirmed(db: Db, companyId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('billing_details')
    .select(['details', 'email_confirmed_at'])
    .where('company_uuid', '=', companyId)
    .executeTakeFirst();
  return row?.details.email === email && row.email_confirmed_at !== null;
}

/** Whether an address is of a person of the company who has confirmed it. */
export async function isConfirmedByPerson(db: Db, companyId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select('users.uuid')
    .where('memberships.company_uuid', '=', companyId)
    .where('users.email', '=', email)
    .where('users.email_confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores details; `confirmedAt` is of their address. */
export async function saveBillingDetails(
  db: Db,
  companyId: string,
  { details, confirmedAt }: { details: BillingDetails; confirmedAt: Date | null },
): Promise<void> {
  const saved = { details: json(details), email_confirmed_at: confirmedAt };
  await db
    .insertInto('billing_details')
    .values({ company_uuid: companyId, ...saved })
    .onConflict((conflict) => conflict.column('company_uuid').doUpdateSet(saved))
    .execute();
}

/** Name and time zone of a company, locked against other invoices of it until the transaction ends. */
export async function lockCompany(
  db: Db,
  companyId: string,
): Promise<{ name: string; time_zone: string } | undefined> {
  return db
    .selectFrom('companies')
    .select(['name', 'time_zone'])
    .where('uuid', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Name of a company. */
export async function findCompanyName(db: Db, companyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.name;
}

/**
 * The next number of a prefix in a year, from 1. Its row stays locked until the transaction ends, so the numbers of all companies have
 * no gaps: one that fails gives its number back.
 */
export async function takeNumber(db: Db, prefix: string, year: number): Promise<number> {
  const { last } = await db
    .insertInto('invoice_numbers')
    .values({ prefix, year, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['prefix', 'year']).doUpdateSet({ last: sql<number>`invoice_numbers.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

export async function insertInvoice(db: Db, row: Insertable<InvoiceTable>): Promise<InvoiceRow> {
  return db.insertInto('invoices').values(row).returningAll().executeTakeFirstOrThrow();
}

/** The charges of a company's invoices so far. */
export interface Invoiced {
  /** The end of the last one's charges. */
  until: Date | null;
  lastMonth: string | null;
  micros: Micros;
}

/** The charges of a company's invoices so far; nulls before the first. */
export async function invoicedSoFar(db: Db, companyId: string): Promise<Invoiced> {
  return db
    .selectFrom('invoices')
    .select([
      sql<Date | null>`max(period_before)`.as('until'),
      sql<string | null>`max(month)`.as('lastMonth'),
      exactSum(sql`sum(charged_micros)`).as('micros'),
    ])
    .where('company_uuid', '=', companyId)
    .where('kind', '=', 'invoice')
    .executeTakeFirstOrThrow();
}

/** The number of a company's invoice of a month. */
export async function numberOfMonth(db: Db, companyId: string, month: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invoices')
    .select('number')
    .where('company_uuid', '=', companyId)
    .where('month', '=', month)
    .executeTakeFirst();
  return row?.number;
}

/** Company of an invoice; operators name only the invoice. */
export async function companyOfInvoice(db: Db, uuid: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invoices')
    .select('company_uuid')
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.company_uuid;
}

/** Net amount and tax of all credit notes of an invoice, in cents. */
export async function creditedCents(
  db: Db,
  companyId: string,
  invoiceId: string,
): Promise<{ net: number; tax: number }> {
  return db
    .selectFrom('invoices')
    .select([exactSum(sql`sum(net_cents)`).as('net'), exactSum(sql`sum(tax_cents)`).as('tax')])
    .where('company_uuid', '=', companyId)
    .where('corrects_uuid', '=', invoiceId)
    .executeTakeFirstOrThrow();
}

/** A row of the list of invoices. */
interface ListedInvoice {
  uuid: string;
  kind: InvoiceKind;
  number: string;
  month: string | null;
  issued_at: Date;
  net_cents: number;
  tax_cents: number;
  corrects: string | null;
  credited_cents: number;
}

/** One page of a company's invoices and credit notes, newest first, and the number of all. */
export async function listInvoiceRows(
  db: Db,
  companyId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ListedInvoice[]; total: number }> {
  const { rows } = await sql<ListedInvoice>`
    select i.uuid, i.kind, i.number, i.month, i.issued_at, i.net_cents, i.tax_cents, c.number as corrects,
      (select ${exactSum(sql`sum(n.net_cents + n.tax_cents)`)} from invoices n
        where n.corrects_uuid = i.uuid) as credited_cents
    from invoices i left join invoices c on c.uuid = i.corrects_uuid
    where i.company_uuid = ${companyId}
    order by i.issued_at desc, i.uuid desc
    limit ${limit} offset ${(page - 1) * limit}`.execute(db);
  const { total } = await db
    .selectFrom('invoices')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** An invoice as the API returns it. Pure. */
export function presentInvoice(row: ListedInvoice): Invoice {
  return {
    uuid: row.uuid,
    kind: row.kind,
    number: row.number,
    month: row.month,
    issued_at: row.issued_at.toISOString(),
    net: row.net_cents / 100,
    tax: row.tax_cents / 100,
    total: (row.net_cents + row.tax_cents) / 100,
    corrects: row.corrects,
    credited: row.credited_cents / 100,
  };
}

/** Cents as dollars in a sentence. Pure. */
export function centsText(cents: number): string {
  return dollarsText(cents / 100);
}

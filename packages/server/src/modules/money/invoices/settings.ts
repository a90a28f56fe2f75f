import {
  type BillingDetails,
  type InvoiceRate,
  type InvoiceSettings,
  type SavedBillingDetails,
  type SavedInvoiceSettings,
  prefixOf,
} from '@bidwell/contract/invoices/schema';
import { invoiceApiMessages } from '@bidwell/contract/invoices/api-messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { sendConfirmation } from '../../identity/public.ts';
import { recordAuditEntry, recordChange } from '../../changes/public.ts';
import {
  findBillingDetails,
  findCompanyName,
  findSettings,
  isBillingAddressConfirmed,
  isConfirmedByPerson,
  lockCompany,
  saveBillingDetails,
  saveSettings,
} from './invoice-store.ts';
import { unprintable } from './pdf/characters.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';

const MILLION = 1_000_000;

/** The actor's company's details on invoices. */
export async function readBillingDetails(ctx: Context, actor: Actor): Promise<SavedBillingDetails> {
  requirePermission(actor, 'money.read');
  return billingOf(ctx, actor.companyId);
}

/** {@link readBillingDetails} of a company, for an operator. Throws NotFound. */
export async function readCompanyBilling(
  ctx: Context,
  operator: Operator,
  { uuid: companyId }: { uuid: string },
): Promise<SavedBillingDetails> {
  requireOperatorPermission(operator, 'company.read');
  if ((await findCompanyName(ctx.db, companyId)) === undefined) throw new NotFound('Company');
  return billingOf(ctx, companyId);
}

async function billingOf({ db, mailer }: Context, companyId: string): Promise<SavedBillingDetails> {
  const details = (await findBillingDetails(db, companyId)) ?? null;
  const email = details?.email ?? null;
  return {
    billing_details: details,
    needs_email_confirmation:
      email !== null && mailer !== null && !(await isBillingAddressConfirmed(db, companyId, email)),
  };
}

/**
 * Replaces the billing details of the actor's company, from the next invoice on. An unconfirmed address gets a link to confirm it,
 * again with each call. Throws Invalid for characters that they cannot show.
 */
export async function changeBillingDetails(
  ctx: Context,
  actor: Actor,
  after: BillingDetails,
): Promise<SavedBillingDetails> {
  requirePermission(actor, 'money.write');
  requirePrintable(after, ['legal_name', 'address', 'tax_id']);
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const { name } = (await lockCompany(tx.db, companyId))!;
    const before = await findBillingDetails(tx.db, companyId);
    await requireExpected(() => ({ billing_details: before ?? null }));
    const confirmedAt = (await isConfirmed(tx.db, companyId, after.email)) ? ctx.now() : null;
    await saveBillingDetails(tx.db, companyId, { details: after, confirmedAt });
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name,
      before: before ? loggedFields(before) : {},
      after: loggedFields(after),
    });
  });
  const saved = await billingOf(ctx, companyId);
  if (saved.needs_email_confirmation && after.email !== null)
    await sendConfirmation(ctx, { kind: 'billing_address', uuid: companyId }, after.email);
  return saved;
}

/** Whether the holder of an address confirmed it, for the billing details or for a person of the company. */
async function isConfirmed(db: Db, companyId: string, email: string | null): Promise<boolean> {
  if (email === null) return false;
  return (await isBillingAddressConfirmed(db, companyId, email)) || isConfirmedByPerson(db, companyId, email);
}

/** The fields under the names that they have in the change log of the company. */
const loggedFields = ({ legal_name, address, country, tax_id, email, currency }: BillingDetails) => ({
  legal_name,
  billing_address: address,
  billing_country: country,
  tax_id,
  billing_email: email,
  invoice_currency: currency,
});

/** Who issues invoices, and how. */
export async function readInvoiceSettings(ctx: Context, operator: Operator): Promise<SavedInvoiceSettings> {
  requireOperatorPermission(operator, 'money.read');
  return { settings: (await findSettings(ctx.db)) ?? null };
}

/** Replaces who issues invoices, and how, from the next invoice on. Throws Invalid for characters that they cannot show. */
export async function changeInvoiceSettings(
  ctx: Context,
  operator: Operator,
  settings: InvoiceSettings,
): Promise<SavedInvoiceSettings> {
  requireOperatorPermission(operator, 'money.write');
  const after = {
    ...settings,
    invoice_prefix: prefixOf(settings.invoice_prefix),
    credit_note_prefix: prefixOf(settings.credit_note_prefix),
  };
  requirePrintable(after, ['legal_name', 'address', 'tax_id', 'payment_text']);
  await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, 'invoices');
    const before = await findSettings(tx.db);
    await requireExpected(() => ({ settings: before ?? null }));
    await saveSettings(tx.db, after);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'invoice settings',
      entityId: null,
      name: after.legal_name,
      before: before ?? null,
      after,
    });
  });
  return { settings: (await findSettings(ctx.db)) ?? null };
}

function requirePrintable<Field extends string>(
  texts: Record<Field, string>,
  fields: readonly Field[],
): void {
  const errors = fields.flatMap((field) => {
    const characters = unprintable(texts[field]);
    return characters.length === 0
      ? []
      : [{ field, message: invoiceApiMessages.charactersNotPrinted(characters.slice(0, 5).join(' ')) }];
  });
  if (errors.length > 0) throw new Invalid(errors);
}

/** The last rate of each currency. */
export async function listInvoiceRates(ctx: Context, operator: Operator): Promise<InvoiceRate[]> {
  requireOperatorPermission(operator, 'money.read');
  return (await lastRates(ctx.db)).map(presentRate);
}

/** Sets the rate of a currency on a day, for invoices that are issued from then on. */
export async function putInvoiceRate(
  ctx: Context,
  operator: Operator,
  { currency, date, per_dollar, source }: InvoiceRate,
): Promise<InvoiceRate> {
  requireOperatorPermission(operator, 'money.write');
  const rate = { currency, day: date, per_dollar_millionths: Math.round(per_dollar * MILLION), source };
  await transact(ctx.db, async (tx) => {
    const before = await rateBetween(tx.db, currency, { first: date, last: date });
    await saveRate(tx.db, rate);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'invoice rate',
      entityId: null,
      name: currency,
      before: before ? presentRate(before) : null,
      after: presentRate(rate),
    });
  });
  return presentRate(rate);
}

function presentRate({ currency, day, per_dollar_millionths, source }: RateRow): InvoiceRate {
  return { currency, date: day, per_dollar: per_dollar_millionths / MILLION, source };
}

/** A rate for totals of invoices: units of the currency for one dollar, times a million. */
export interface RateRow {
  currency: string;
  day: string;
  per_dollar_millionths: number;
  source: string;
}

/** The last rate of each currency. */
async function lastRates(db: Db): Promise<RateRow[]> {
  return db
    .selectFrom('invoice_rates')
    .distinctOn('currency')
    .selectAll()
    .orderBy('currency')
    .orderBy('day', 'desc')
    .execute();
}

/** The last rate of a currency from a first to a last day; undefined if there is none. */
export async function rateBetween(
  db: Db,
  currency: string,
  { first, last }: { first: string; last: string },
): Promise<RateRow | undefined> {
  return db
    .selectFrom('invoice_rates')
    .selectAll()
    .where('currency', '=', currency)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function saveRate(db: Db, rate: RateRow): Promise<void> {
  const { per_dollar_millionths, source } = rate;
  await db
    .insertInto('invoice_rates')
    .values(rate)
    .onConflict((conflict) =>
      conflict.columns(['currency', 'day']).doUpdateSet({ per_dollar_millionths, source }),
    )
    .execute();
}

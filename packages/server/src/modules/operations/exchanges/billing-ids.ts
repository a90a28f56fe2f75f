import type { BillingIdsList, CompanyBillingIds } from '@bidwell/contract/operator/schema';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';
import { recordAuditEntry } from '../../changes/public.ts';

/** The companies with billing ids at an exchange, by name. Throws NotFound. */
export async function listBillingIds(
  ctx: Context,
  operator: Operator,
  { slug }: { slug: string },
): Promise<BillingIdsList> {
  requireOperatorPermission(operator, 'exchange.read');
  await exchangeName(ctx.db, slug);
  return { companies: await readBillingIds(ctx.db, slug) };
}

/** Sets the billing ids of a company at an exchange; bidders apply it at once. Throws NotFound. */
export async function setBillingIds(
  ctx: Context,
  operator: Operator,
  input: { slug: string; company_uuid: string; billing_ids: readonly string[] },
): Promise<CompanyBillingIds> {
  requireOperatorPermission(operator, 'exchange.write');
  const { slug, company_uuid: companyId } = input;
  const ids = input.billing_ids.toSorted();
  const companyName = await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, `exchange ${slug}`);
    const exchange = await exchangeName(tx.db, slug);
    const company = await nameOfCompany(tx.db, companyId);
    const [before] = await readBillingIds(tx.db, slug, companyId);
    await replaceBillingIds(tx.db, { slug, companyId, ids });
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'exchange',
      entityId: slug,
      name: exchange,
      before: { [`billing ids of ${company}`]: before?.billing_ids ?? [] },
      after: { [`billing ids of ${company}`]: ids },
    });
    return company;
  });
  ctx.onInstallationChanged();
  return { company_uuid: companyId, company_name: companyName, billing_ids: ids };
}

async function exchangeName(db: Db, slug: string): Promise<string> {
  const row = await db.selectFrom('ssps').select('name').where('slug', '=', slug).executeTakeFirst();
  if (!row) throw new NotFound('Exchange');
  return row.name;
}

async function nameOfCompany(db: Db, companyId: string): Promise<string> {
  const row = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  if (!row) throw new NotFound('Company');
  return row.name;
}

/** The billing ids at an exchange, of all companies or of one. */
async function readBillingIds(db: Db, slug: string, companyId?: string): Promise<CompanyBillingIds[]> {
  let rows = db
    .selectFrom('exchange_billing_ids')
    .innerJoin('companies', 'companies.uuid', 'exchange_billing_ids.company_uuid')
    .where('slug', '=', slug);
  if (companyId !== undefined) rows = rows.where('company_uuid', '=', companyId);
  return rows
    .select([
      'company_uuid',
      'companies.name as company_name',
      sql<string[]>`array_agg(billing_id order by billing_id)`.as('billing_ids'),
    ])
    .groupBy(['company_uuid', 'companies.name'])
    .orderBy('companies.name')
    .orderBy('company_uuid')
    .execute();
}

async function replaceBillingIds(
  db: Db,
  { slug, companyId, ids }: { slug: string; companyId: string; ids: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('exchange_billing_ids')
    .where('slug', '=', slug)
    .where('company_uuid', '=', companyId)
    .execute();
  if (ids.length === 0) return;
  await db
    .insertInto('exchange_billing_ids')
    .values(ids.map((id) => ({ slug, company_uuid: companyId, billing_id: id })))
    .execute();
}

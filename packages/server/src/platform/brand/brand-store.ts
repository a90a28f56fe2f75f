import { type BrandSettings, DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import type { Selectable } from 'kysely';
import { json } from '../postgres/client.ts';
import type { BrandLogoTable } from '../postgres/schema.ts';
import type { Db } from '../postgres/transaction.ts';

export type LogoRow = Selectable<BrandLogoTable>;

/** The settings of the brand, and the name of its logo. */
export interface BrandRow {
  settings: BrandSettings;
  logoSha256: string | null;
}

/** The stored brand, or the product's own. */
export async function findBrand(db: Db): Promise<BrandRow> {
  const row = await db.selectFrom('brand').select(['settings', 'logo_sha256']).executeTakeFirst();
  return row
    ? { settings: { ...DEFAULT_BRAND, ...row.settings }, logoSha256: row.logo_sha256 }
    : { settings: DEFAULT_BRAND, logoSha256: null };
}

/** {@link findBrand}, unchanged until the transaction ends. */
export async function lockBrand(db: Db): Promise<BrandRow> {
  await db.selectFrom('brand').select('one').forUpdate().execute();
  return findBrand(db);
}

/** {@link findBrand}, for a transaction that refers to its logo, which is not deleted before that ends. */
export async function shareBrand(db: Db): Promise<BrandRow> {
  await db.selectFrom('brand').select('one').forShare().execute();
  return findBrand(db);
}

export async function saveBrand(db: Db, { settings, logoSha256 }: BrandRow): Promise<void> {
  const values = { settings: json(settings), logo_sha256: logoSha256 };
  await db
    .insertInto('brand')
    .values(values)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(values))
    .execute();
}

export async function findLogo(db: Db, sha256: string): Promise<LogoRow | undefined> {
  return db.selectFrom('brand_logos').selectAll().where('sha256', '=', sha256).executeTakeFirst();
}

export async function insertLogo(db: Db, logo: LogoRow): Promise<void> {
  await db
    .insertInto('brand_logos')
    .values(logo)
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}

/** Deletes the logos that neither the brand nor an invoice has. */
export async function deleteUnusedLogos(db: Db): Promise<void> {
  await db
    .deleteFrom('brand_logos as logo')
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('brand').select('one').whereRef('brand.logo_sha256', '=', 'logo.sha256'),
        ),
      ),
    )
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('invoices').select('uuid').whereRef('invoices.logo_sha256', '=', 'logo.sha256'),
        ),
      ),
    )
    .execute();
}

import { type BrandSettings, DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import type { Logger } from 'pino';
import { inTime } from '../concurrency/time-limits.ts';
import { type Database, json } from '../postgres/client.ts';
import type { Selectable } from 'kysely';
import type { BrandLogoTable } from '../postgres/schema.ts';
import type { Db } from '../postgres/transaction.ts';

/** Another process shows a change after this time at the latest. */
const FRESH_MS = 5000;
/** A page does not wait longer for a database that does not respond. */
const READ_MS_MAX = 1000;

/** The brand of the installation. */
export interface InstallationBrand {
  settings: BrandSettings;
  logo: LogoRow | null;
}

/** Reads the brand for pages and mails. */
export interface BrandReader {
  /**
   * The brand, at most five seconds old. Never rejects: while the database does not respond it is the last known one, or the
   * product's own. Must not be called within a transaction, whose connection may be the only one.
   */
  current(): Promise<InstallationBrand>;
  /** Called after a change of this process. */
  changed(): void;
}

/** Creates the reader of a process. */
export function createBrandReader(db: Database, log: Logger): BrandReader {
  let known: InstallationBrand = { settings: DEFAULT_BRAND, logo: null };
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<InstallationBrand> | null = null;
  let changes = 0;

  const read = async (): Promise<InstallationBrand> => {
    const before = changes;
    const brand = await inTime(readBrand(db, known.logo), READ_MS_MAX, 'The database does not respond').catch(
      (err: unknown) => {
        log.warn({ err }, 'the brand could not be read');
        return known;
      },
    );
    // A read that began before a change in this process must not serve later callers.
    if (before === changes) {
      known = brand;
      freshUntilMs = performance.now() + FRESH_MS;
      reading = null;
    }
    return brand;
  };

  return {
    current: async () => (performance.now() < freshUntilMs ? known : (reading ??= read())),
    changed() {
      changes += 1;
      freshUntilMs = Number.NEGATIVE_INFINITY;
      reading = null;
    },
  };
}

async function readBrand(db: Database, known: LogoRow | null): Promise<InstallationBrand> {
  const { settings, logoSha256 } = await findBrand(db);
  if (logoSha256 === null) return { settings, logo: null };
  if (known?.sha256 === logoSha256) return { settings, logo: known };
  return { settings, logo: (await findLogo(db, logoSha256)) ?? null };
}

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

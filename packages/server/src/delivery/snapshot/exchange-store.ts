import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ExchangeRules, ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { ChargeOn, SspInput } from '@bidwell/contract/operator/schema';
import { type Selectable, sql } from 'kysely';
import type { Place } from '../../platform/encryption.ts';
import type { SspTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { PriceRules } from '../model/price-rules.ts';

/** An exchange as it is stored. */
export interface StoredSsp {
  slug: string;
  /** The exchange whose rules bids follow; absent in a snapshot on disk of an earlier release. */
  profile?: ProfileSlug;
  /** Billing ids of companies, where the exchange bills each buyer; as `profile`. */
  billingIds?: readonly CompanyBillingIds[];
  /** Whether it reviews creatives that this server submits; as `profile`. */
  isReviewed?: boolean;
  chargeOn: ChargeOn;
  auctionType: SspInput['auction_type'];
  clickMacro: string;
  priceMacro: string;
  lossMacro: string;
  timeoutMs: number | null;
  requestsPerSecond: number | null;
  secret: string | null;
  previousSecret: string | null;
  /** End of validity of the previous secret. */
  previousSecretUntil: Date | null;
  /** Whether requests without a secret are accepted. */
  open: boolean;
  /** Our seat at the exchange. */
  seat: string;
  /** Maximum length of a response in bytes; null is no limit. */
  answerBytesMax: number | null;
}

/** The billing ids of a company at an exchange. */
export interface CompanyBillingIds {
  companyId: string;
  ids: readonly string[];
}

/** An exchange that sends us bid requests, with what its bids depend on compiled once. */
export interface Ssp extends StoredSsp {
  rules: ExchangeRules;
  /** Only creatives that it approved are bid there. */
  isReviewed: boolean;
  /** Billing ids by company; empty where none is set. */
  billing: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Compiles a stored exchange. */
export function compileSsp<Stored extends StoredSsp>(stored: Stored): Stored & Ssp {
  const { profile = 'openrtb', billingIds = [], isReviewed = false } = stored;
  const rules = rulesOf(profile);
  return {
    ...stored,
    rules,
    isReviewed: isReviewed && rules.creative_review !== null,
    billing: new Map(billingIds.map(({ companyId, ids }) => [companyId, new Set(ids)])),
  };
}

/** Loads the active exchanges. */
export async function loadSsps(db: Db): Promise<StoredSsp[]> {
  const billingIds = await loadBillingIds(db);
  const ssps = await selectSsps(db).where('active', '=', true).execute();
  return ssps.map((ssp) => ({ ...ssp, billingIds: billingIds.get(ssp.slug) ?? [] }));
}

/** Loads one exchange and whether it is active; undefined if there is none with this slug. */
export async function loadSsp(db: Db, slug: string): Promise<(Ssp & { active: boolean }) | undefined> {
  const ssp = await selectSsps(db).select('active').where('slug', '=', slug).executeTakeFirst();
  return ssp && compileSsp({ ...ssp, billingIds: (await loadBillingIds(db)).get(slug) ?? [] });
}

/** The billing ids of all companies by exchange, in a fixed order. */
async function loadBillingIds(db: Db): Promise<Map<string, CompanyBillingIds[]>> {
  const rows = await db
    .selectFrom('exchange_billing_ids')
    .select(['slug', 'company_uuid', sql<string[]>`array_agg(billing_id order by billing_id)`.as('ids')])
    .groupBy(['slug', 'company_uuid'])
    .orderBy('slug')
    .orderBy('company_uuid')
    .execute();
  const bySlug = new Map<string, CompanyBillingIds[]>();
  for (const { slug, company_uuid: companyId, ids } of rows)
    bySlug.set(slug, [...(bySlug.get(slug) ?? []), { companyId, ids }]);
  return bySlug;
}

function selectSsps(db: Db) {
  return db
    .selectFrom('ssps')
    .select([
      'slug',
      'profile',
      sql<boolean>`exists (select from exchange_review_accounts r where r.slug = ssps.slug and r.is_enabled)`.as(
        'isReviewed',
      ),
      'charge_on as chargeOn',
      'auction_type as auctionType',
      'click_macro as clickMacro',
      'price_macro as priceMacro',
      'loss_macro as lossMacro',
      'timeout_ms as timeoutMs',
      'requests_per_second as requestsPerSecond',
      'secret',
      'previous_secret as previousSecret',
      'previous_secret_until as previousSecretUntil',
      'open',
      'seat',
      'answer_bytes_max as answerBytesMax',
    ]);
}

/** Decrypts a value of `ssps`; '' if this process cannot. */
export type DecryptPriceKey = (stored: string, place: Place) => string;

/**
 * Price rules of all exchanges by slug; also of inactive ones, whose notices still arrive. A key that cannot be decrypted is
 * empty, and reads no price.
 */
export async function loadPriceRules(db: Db, decrypt: DecryptPriceKey): Promise<Map<string, PriceRules>> {
  const rows = await db
    .selectFrom('ssps')
    .select([
      'slug',
      'price_format',
      'decimal_comma',
      'price_encryption_key',
      'price_integrity_key',
      'unreadable_price',
      'device_notices',
    ])
    .execute();
  return new Map(
    rows.map((row): [string, PriceRules] => [
      row.slug,
      {
        keys: priceKeys(row, decrypt),
        decimalComma: row.decimal_comma,
        unreadable: row.unreadable_price,
        deviceNotices: row.device_notices,
      },
    ]),
  );
}

type KeyColumns = 'slug' | 'price_format' | 'price_encryption_key' | 'price_integrity_key';

function priceKeys(
  row: Pick<Selectable<SspTable>, KeyColumns>,
  decrypt: DecryptPriceKey,
): PriceRules['keys'] {
  // Without its keys, which were lost, no price is a number, and each counts as unreadable.
  if (row.price_format === 'plain' || row.price_encryption_key === null) return null;
  const keyOf = (column: 'price_encryption_key' | 'price_integrity_key') =>
    Buffer.from(decrypt(row[column] ?? '', { table: 'ssps', column, row: row.slug }), 'base64');
  return { encryption: keyOf('price_encryption_key'), integrity: keyOf('price_integrity_key') };
}

/** Dollars per unit, by currency. */
export async function loadCurrencyRates(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('currency_rates').select(['currency', 'dollars']).execute();
  return new Map([...rows.map(({ currency, dollars }): [string, number] => [currency, dollars]), ['USD', 1]]);
}

import type { ChargeOn, SspInput } from '@bidwell/contract/operator/schema';
import type { Selectable } from 'kysely';
import type { Place } from '../../platform/encryption.ts';
import type { SspTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { PriceRules } from '../model/price-rules.ts';

/** An exchange that sends us bid requests. */
export interface Ssp {
  slug: string;
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

/** Loads the active exchanges. */
export async function loadSsps(db: Db): Promise<Ssp[]> {
  return selectSsps(db).where('active', '=', true).execute();
}

/** Loads one exchange and whether it is active; undefined if there is none with this slug. */
export async function loadSsp(db: Db, slug: string): Promise<(Ssp & { active: boolean }) | undefined> {
  return selectSsps(db).select('active').where('slug', '=', slug).executeTakeFirst();
}

function selectSsps(db: Db) {
  return db
    .selectFrom('ssps')
    .select([
      'slug',
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

import { sql } from 'kysely';
import { type Encryption, EncryptionKeyMissing } from '../encryption.ts';
import type { Database } from './client.ts';

/** The columns that are encrypted, and the changes to a row whose key is lost. */
const TABLES = [
  {
    table: 'users',
    key: 'uuid',
    columns: ['totp_secret'],
    cleared: sql`totp_secret = null, totp_enrolled = false`,
    consequence: 'logs in with the password alone until an authenticator app is set up again',
  },
  {
    table: 'operators',
    key: 'uuid',
    columns: ['totp_secret'],
    cleared: sql`totp_secret = null, totp_enrolled = false`,
    consequence: 'must set up an authenticator app at the next login',
  },
  {
    table: 'ssps',
    key: 'slug',
    columns: ['price_encryption_key', 'price_integrity_key'],
    // An exchange whose prices cannot be read must not be bid at.
    cleared: sql`price_encryption_key = null, price_integrity_key = null, active = false`,
    consequence: 'is off until its price keys are entered again',
  },
  {
    table: 'device_erasures',
    key: 'uuid',
    columns: ['device_id'],
    cleared: sql`device_id = null, finished_at = now()`,
    consequence: 'is not finished: erase the device again',
  },
  {
    table: 'skadnetwork_networks',
    key: 'id',
    columns: ['private_key'],
    cleared: sql`private_key = null`,
    consequence: 'signs no bids until its private key is entered again',
  },
  {
    table: 'alert_channels',
    key: 'uuid',
    columns: ['secret'],
    cleared: sql`secret = null, is_enabled = false`,
    consequence: 'gets no alerts any more: remove the channel and add it again',
  },
  {
    table: 'report_destinations',
    key: 'uuid',
    columns: ['secret'],
    cleared: sql`secret = null`,
    consequence: 'gets no reports any more: remove the destination and add it again',
  },
  {
    table: 'partner_costs',
    key: 'uuid',
    columns: ['token'],
    cleared: sql`token = null`,
    consequence: 'gets no costs any more: enter the token again',
  },
  {
    table: 'exchange_review_accounts',
    key: 'slug',
    columns: ['secret'],
    cleared: sql`secret = null`,
    consequence: 'gets no creatives for review any more: enter the credentials again',
  },
  {
    table: 'messages',
    key: 'uuid',
    columns: ['content'],
    cleared: sql`content = null`,
    consequence: 'is not sent: what it was about has to be done again',
  },
  {
    table: 'sso_providers',
    key: 'company_uuid',
    columns: ['client_secret'],
    cleared: sql`client_secret = null`,
    consequence: 'has no single sign-on until its client secret is entered again',
  },
] as const;

interface StoredValue {
  row: string;
  value: string;
}

/** The result of {@link encryptColumns}. */
export interface EncryptedColumns {
  /** The number of values that this call encrypted with the first key. */
  encrypted: number;
  /** A sentence for each row whose key was lost. */
  cleared: string[];
}

/**
 * Encrypts values that are in plain text, and values with other keys again, with the first key. Values of `lostKeys` are
 * removed. Throws {@link EncryptionKeyMissing} before any change if the key of a value is neither known nor lost.
 */
export async function encryptColumns(
  db: Database,
  encryption: Encryption,
  lostKeys: readonly string[],
): Promise<EncryptedColumns> {
  const outdated = [];
  const missing = new Set<string>();
  for (const table of TABLES)
    for (const column of table.columns) {
      for (const found of await outdatedValues(db, table, column, encryption.currentKeyId)) {
        const keyId = encryption.keyIdOf(found.value);
        const isLost = keyId !== null && !encryption.keyIds.has(keyId);
        if (isLost && !lostKeys.includes(keyId)) missing.add(keyId);
        outdated.push({ table, column, found, isLost });
      }
    }
  if (missing.size > 0) throw new EncryptionKeyMissing([...missing]);
  const cleared = new Set<string>();
  let encrypted = 0;
  for (const { table, column, found, isLost } of outdated) {
    if (isLost) {
      await clear(db, table, found.row);
      cleared.add(`${table.table} ${found.row} ${table.consequence}`);
    } else if (await encryptOne(db, table, column, found, encryption)) encrypted += 1;
  }
  return { encrypted, cleared: [...cleared] };
}

type Table = (typeof TABLES)[number];

async function outdatedValues(
  db: Database,
  { table, key }: Table,
  column: string,
  currentKeyId: string,
): Promise<StoredValue[]> {
  const { rows } = await sql<StoredValue>`
    select ${sql.ref(key)}::text as row, ${sql.ref(column)} as value from ${sql.table(table)}
    where not starts_with(${sql.ref(column)}, ${`enc:1:${currentKeyId}:`})`.execute(db);
  return rows;
}

/** False if another process has changed the value meanwhile. */
async function encryptOne(
  db: Database,
  { table, key }: Table,
  column: string,
  { row, value }: StoredValue,
  encryption: Encryption,
): Promise<boolean> {
  const place = { table, column, row };
  const next = encryption.encrypt(encryption.decrypt(value, place), place);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where ${sql.ref(key)}::text = ${row} and ${sql.ref(column)} = ${value}`.execute(db);
  return numAffectedRows === 1n;
}

async function clear(db: Database, { table, key, cleared }: Table, row: string): Promise<void> {
  await sql`update ${sql.table(table)} set ${cleared} where ${sql.ref(key)}::text = ${row}`.execute(db);
}

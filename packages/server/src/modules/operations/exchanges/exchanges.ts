import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { toDollars, type Micros } from '@bidwell/contract/lib/money';
import { roleHas } from '@bidwell/contract/operator-accounts/permissions';
import { guessedProfile, profileChangesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ExchangeList, Ssp, SspInput, UnpricedNotices } from '@bidwell/contract/operator/schema';
import type { Logger } from 'pino';
import type { Context } from '../../../context.ts';
import { newSecret } from '../../../platform/new-secret.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import {
  type PreviousSecret,
  type PriceKeys,
  type SspRow,
  listSspRows,
  lockSsp,
  upsertSsp,
} from './exchange-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Certification } from '@bidwell/contract/operator/certification';
import type { ExchangeTest, ExchangeTestInput } from '@bidwell/contract/operator/exchange-test';

/** Time for an exchange to switch to a new secret. */
const OLD_SECRET_LIFE_MS = 24 * 3_600_000;
const SECRET_BYTES = 24;
const HEX_KEY_CHARS = 64;

/** All exchanges, by slug, and the address that they send bid requests to. */
export async function listSsps(ctx: Context, operator: Operator): Promise<ExchangeList> {
  requireOperatorPermission(operator, 'exchange.read');
  const rows = await listSspRows(ctx.db);
  return {
    ssps: rows.map((row) => presented(row, ctx.now(), operator)),
    public_url: publicUrlOf(ctx.config),
    public_url_is_set: ctx.config.publicUrl !== undefined,
  };
}

/**
 * Creates or updates the exchange with this slug; bidders apply it at once. Generates a secret if there is none. A
 * replaced secret stays valid for a day. Throws Invalid for encrypted prices without keys.
 */
export async function putSsp(
  ctx: Context,
  operator: Operator,
  { slug, ...input }: SspInput & { slug: string },
): Promise<Ssp> {
  requireOperatorPermission(operator, 'exchange.write');
  return changed(ctx, operator, slug, async (db) => {
    const before = await lockSsp(db, slug);
    await requireExpected(() => (before ? presented(before, ctx.now(), operator) : null));
    const secret = input.secret ?? before?.secret ?? newSecret(SECRET_BYTES);
    const previous = before?.secret && before.secret !== secret ? endingIn(before, ctx.now()) : {};
    const { price_encryption_key: encryption, price_integrity_key: integrity, ...settings } = input;
    const encrypted = (column: keyof PriceKeys, key: string | undefined) =>
      key === undefined
        ? (before?.[column] ?? null)
        : ctx.encryption.encrypt(key, { table: 'ssps', column, row: slug });
    const keys: PriceKeys = {
      price_encryption_key: encrypted('price_encryption_key', base64Key(encryption)),
      price_integrity_key: encrypted('price_integrity_key', base64Key(integrity)),
    };
    if (input.price_format !== 'plain') requireKeys(keys);
    const profile = input.profile ?? before?.profile ?? guessedProfile({ slug, name: input.name });
    return upsertSsp(db, slug, { ...settings, profile, ...keys, secret, ...previous }, ctx.now());
  });
}

/**
 * Generates a new secret for an exchange. The old one stays valid for a day, or ends at once with `end_old`. Throws
 * NotFound.
 */
export async function rotateSspSecret(
  ctx: Context,
  operator: Operator,
  { slug, end_old: endsOld }: { slug: string; end_old: boolean },
): Promise<Ssp> {
  requireOperatorPermission(operator, 'exchange.write');
  return changed(ctx, operator, slug, async (db) => {
    const before = await lockSsp(db, slug);
    if (!before) throw new NotFound('Exchange');
    const { created_at: _created, ...ssp } = before;
    const previous = endsOld
      ? { previous_secret: null, previous_secret_until: null }
      : endingIn(before, ctx.now());
    return upsertSsp(db, slug, { ...ssp, secret: newSecret(SECRET_BYTES), ...previous }, ctx.now());
  });
}

/** Counts notices of the last days whose price could not be read, by exchange and reason, highest count first. */
export async function listUnpriced(
  { clickhouse, now }: Context,
  operator: Operator,
  { days }: { days: number },
): Promise<UnpricedNotices[]> {
  requireOperatorPermission(operator, 'exchange.read');
  const rows = await unpricedSince(clickhouse, now().getTime() - days * 86_400_000);
  return rows.map(({ ssp, reason, notices, chargedMicros, bidMicros, lastAtMs, example }) => ({
    ssp,
    reason,
    notices,
    charged: toDollars(chargedMicros),
    bid: toDollars(bidMicros),
    last_at: new Date(lastAtMs).toISOString(),
    example,
  }));
}

/**
 * Logs a warning at start for each active exchange that accepts requests without the secret, or whose old address without a secret
 * still works, or with a setting that its documentation has contradicted since it was added.
 */
export async function warnOfExchangeSettings(db: Db, log: Logger, now: Date): Promise<void> {
  for (const row of await listSspRows(db)) {
    const { slug, open, active, previous_secret, previous_secret_until } = row;
    if (!active) continue;
    for (const { field, setting, documented, text, source } of profileChangesOf(row))
      log.warn(
        `The exchange ${slug} has ${field} ${setting ?? 'none'}; its documentation says ${documented ?? 'none'} now: ${text} (${source}) ` +
          `To follow it: "operator ssp set ${slug} --${field.replaceAll('_', '-')} ${documented ?? 'none'}".`,
      );
    if (open)
      log.warn(
        `The exchange ${slug} is open: anyone can fetch bids in its name and have them charged. ` +
          `Close it by "operator ssp set ${slug} --open false" once it uses the address that "operator ssp list" shows.`,
      );
    else if (previous_secret === '' && previous_secret_until && previous_secret_until > now)
      log.warn(
        `The exchange ${slug} had no secret and got one. Its old address /openrtb/${slug} ends at ` +
          `${previous_secret_until.toISOString()}: give it the address that "operator ssp list" shows.`,
      );
  }
}

async function changed(
  ctx: Context,
  operator: Operator,
  slug: string,
  write: (db: Db) => Promise<SspRow>,
): Promise<Ssp> {
  const row = await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, `exchange ${slug}`);
    const before = await lockSsp(tx.db, slug);
    const after = await write(tx.db);
    await recordAuditEntry(ctx, tx, operator, {
      action: before ? 'Changed' : 'Added',
      entity: 'exchange',
      entityId: slug,
      name: after.name,
      ...(before && { before: loggedFields(before) }),
      after: {
        ...loggedFields(after),
        ...(before && before.secret !== after.secret && { secret: 'changed' }),
      },
    });
    return after;
  });
  ctx.onInstallationChanged();
  return presented(row, ctx.now(), operator);
}

/** Converts a key to Base64 from hex or Base64; undefined if none is given. */
function base64Key(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return Buffer.from(text, text.length === HEX_KEY_CHARS ? 'hex' : 'base64').toString('base64');
}

function requireKeys(keys: PriceKeys): void {
  const missing = (['price_encryption_key', 'price_integrity_key'] as const).filter(
    (name) => keys[name] === null,
  );
  if (missing.length > 0)
    throw new Invalid(
      missing.map((field) => ({ field, message: operatorApiMessages.priceKeyRequired[field] })),
    );
}

function endingIn({ secret }: SspRow, now: Date): PreviousSecret {
  return { previous_secret: secret, previous_secret_until: new Date(now.getTime() + OLD_SECRET_LIFE_MS) };
}

/** The settings of an exchange without its secrets and keys. */
function loggedFields(row: SspRow): Record<string, unknown> {
  const {
    created_at: _created,
    secret: _secret,
    previous_secret: _previous,
    previous_secret_until: _until,
    price_encryption_key: _encryption,
    price_integrity_key: _integrity,
    ...settings
  } = row;
  return settings;
}

function presented(row: SspRow, now: Date, { role }: Operator): Ssp {
  const {
    created_at: _created,
    previous_secret: _previous,
    previous_secret_until: until,
    price_encryption_key: encryption,
    price_integrity_key: integrity,
    ...ssp
  } = row;
  const isSecretShown = roleHas(role, 'secret.read');
  const secret = isSecretShown ? (ssp.secret ?? '') : '';
  return {
    ...ssp,
    secret,
    path: isSecretShown ? `/openrtb/${ssp.slug}/${secret}` : '',
    previous_secret_until: until && until > now ? until.toISOString() : null,
    has_price_keys: encryption !== null && integrity !== null,
    profile_changes: profileChangesOf(ssp),
  };
}

/** Notices of one exchange whose price could not be read, for one reason. */
interface UnpricedRow {
  ssp: string;
  reason: string;
  notices: number;
  chargedMicros: Micros;
  bidMicros: Micros;
  lastAtMs: number;
  /** The price of the last of them that had one; '' for none. */
  example: string;
}

const ROWS_MAX = 1000;

/**
 * Counts such notices since an instant, highest count first, for all companies. Earlier releases stored `free` as the fault of a
 * price of 0, which could be read.
 */
async function unpricedSince(clickhouse: ClickHouse, sinceMs: number): Promise<readonly UnpricedRow[]> {
  return clickhouse.query<UnpricedRow>(
    `select exchange as ssp, price_fault as reason, count() as notices, sum(spend_micros - margin_micros) as chargedMicros,
       intDiv(sum(bid_cpm_micros), 1000) as bidMicros, toUnixTimestamp64Milli(max(time)) as lastAtMs,
       argMaxIf(price_text, time, price_text != '') as example
     from events
     where time >= {since:DateTime64(3, 'UTC')} and price_fault not in ('', 'free') and test = 0
     group by ssp, reason order by notices desc, ssp, reason limit {rows:UInt32}`,
    { since: clickhouseTime(sinceMs), rows: ROWS_MAX },
  );
}

/** What delivery says of an exchange without bidding; null if there is no such exchange. */
export interface ExchangeTests {
  /** How bidders would respond to a sample bid request. */
  testRequest: (slug: string, input: ExchangeTestInput) => Promise<ExchangeTest | null>;
  /** How this server responds to the contract cases of the exchange's profile. */
  certify: (slug: string) => Promise<Certification | null>;
}

/** Says how bidders would respond to a sample bid request of an exchange. Throws NotFound. */
export async function testExchange(
  { testRequest }: Pick<ExchangeTests, 'testRequest'>,
  operator: Operator,
  { slug, ...input }: ExchangeTestInput & { slug: string },
): Promise<ExchangeTest> {
  requireOperatorPermission(operator, 'exchange.read');
  const result = await testRequest(slug, input);
  if (!result) throw new NotFound('Exchange');
  return result;
}

/** Runs the contract cases of an exchange's profile, with a sample advertiser. Throws NotFound. */
export async function certifyExchange(
  { certify }: Pick<ExchangeTests, 'certify'>,
  operator: Operator,
  { slug }: { slug: string },
): Promise<Certification> {
  requireOperatorPermission(operator, 'exchange.read');
  const result = await certify(slug);
  if (!result) throw new NotFound('Exchange');
  return result;
}

import type { Ssp, SspInput } from '@bidwell/contract/operator';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import type { PreviousSecret, SspRow } from './exchange-store.ts';
import { listSspRows, lockSsp, upsertSsp } from './exchange-store.ts';

/** How long an exchange may take to begin to use a new secret. */
const OLD_SECRET_LIFE_MS = 24 * 3_600_000;
const SECRET_BYTES = 24;

/** All exchanges, by slug. */
export async function listSsps(engines: Engines): Promise<Ssp[]> {
  const rows = await listSspRows(engines.db);
  return rows.map((row) => presented(row, engines.now()));
}

/**
 * Adds an exchange, or changes the one of this slug. The bidder answers it at once. A new one without a secret gets one; a
 * secret that is replaced stays valid for a day.
 */
export async function putSsp(engines: Engines, slug: string, input: SspInput): Promise<Ssp> {
  return changed(engines, async (db) => {
    const before = await lockSsp(db, slug);
    const secret = input.secret ?? before?.secret ?? newSecret();
    const previous = before?.secret && before.secret !== secret ? endingIn(before, engines.now()) : {};
    return upsertSsp(db, slug, { ...input, secret, ...previous }, engines.now());
  });
}

/** Makes a new secret for an exchange; the old one stays valid for a day, or ends at once. Throws NotFound. */
export async function rotateSspSecret(engines: Engines, slug: string, endOld: boolean): Promise<Ssp> {
  return changed(engines, async (db) => {
    const before = await lockSsp(db, slug);
    if (!before) throw new NotFound('Exchange');
    const { created_at: _created, ...ssp } = before;
    const previous = endOld
      ? { previous_secret: null, previous_secret_until: null }
      : endingIn(before, engines.now());
    return upsertSsp(db, slug, { ...ssp, secret: newSecret(), ...previous }, engines.now());
  });
}

/** Says at a start which exchanges anybody can speak for. */
export async function warnOfOpenExchanges(db: Db, log: Logger, now: Date): Promise<void> {
  for (const { slug, open, active, previous_secret, previous_secret_until } of await listSspRows(db)) {
    if (!active) continue;
    if (open)
      log.warn(
        `The exchange ${slug} is open: anybody can fetch bids in its name and have them charged. ` +
          `Close it by "operator ssp set ${slug} --open false" once it uses the address that "operator ssp list" shows.`,
      );
    else if (previous_secret === '' && previous_secret_until && previous_secret_until > now)
      log.warn(
        `The exchange ${slug} had no secret and got one. Its old address /openrtb/${slug} ends at ` +
          `${previous_secret_until.toISOString()}: give it the address that "operator ssp list" shows.`,
      );
  }
}

async function changed(engines: Engines, write: (db: Db) => Promise<SspRow>): Promise<Ssp> {
  const row = await transact(engines.db, async (tx) => write(tx.db));
  engines.entityChanged({ companyId: '', entity: 'company', uuid: '', action: 'update' });
  return presented(row, engines.now());
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function endingIn({ secret }: SspRow, now: Date): PreviousSecret {
  return { previous_secret: secret, previous_secret_until: new Date(now.getTime() + OLD_SECRET_LIFE_MS) };
}

function presented(row: SspRow, now: Date): Ssp {
  const { created_at: _created, previous_secret: _previous, previous_secret_until: until, ...ssp } = row;
  const secret = ssp.secret ?? '';
  return {
    ...ssp,
    secret,
    path: `/openrtb/${ssp.slug}/${secret}`,
    previous_secret_until: until && until > now ? until.toISOString() : null,
  };
}

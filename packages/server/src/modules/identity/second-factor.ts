import type { Context } from '../../context.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { sql } from 'kysely';

/** Wrong codes in a row after which each further one is followed by a pause, twice as long as the one before. */
const PROMPT_CODES = 3;
const FIRST_PAUSE_MS = 30_000;
/** Wrong codes in a row after which no code is accepted until the second factor is reset. */
export const WRONG_CODES_MAX = 10;

/** Stands for the account of an attempt with a wrong login or password. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/**
 * Checks a code of an account's second factor: `accepted` returns null for a wrong one. Wrong codes are counted by account, so
 * it does not matter from where they come. From the third in a row on, no code is accepted for 30 seconds, a minute and so on,
 * and after the tenth none until {@link resetSecondFactor}; the caller cannot tell either from a wrong code.
 *
 * The caller has locked the account's row, and does not roll back after null. An attempt with a wrong password has to be
 * checked as one of {@link NO_ACCOUNT}: it takes as long and counts for no account, since the password of an account would
 * otherwise be revealed by its lock, and anyone could lock it.
 */
export async function checkSecondFactor<T>(
  { log, now }: Pick<Context, 'log' | 'now'>,
  db: Db,
  accountUuid: string,
  accepted: () => T | null,
): Promise<T | null> {
  const before = (await findWrongCodes(db, accountUuid)) ?? { count: 0, lastAt: new Date(0) };
  const isOpen = accountUuid !== NO_ACCOUNT && now().getTime() >= reopensAtMs(before);
  const result = isOpen ? accepted() : null;
  if (result !== null) {
    await deleteWrongCodes(db, accountUuid);
    return result;
  }
  const after = isOpen ? { count: before.count + 1, lastAt: now() } : before;
  // Written in any case, so that the time of an attempt does not tell whether it counted.
  await setWrongCodes(db, accountUuid, after);
  if (isOpen && after.count === WRONG_CODES_MAX)
    log.warn({ account: accountUuid }, 'the second factor of an account is locked after wrong codes');
  return null;
}

/** When codes are accepted again; infinite for an account that is locked. */
function reopensAtMs({ count, lastAt }: WrongCodes): number {
  if (count >= WRONG_CODES_MAX) return Infinity;
  if (count < PROMPT_CODES) return 0;
  return lastAt.getTime() + FIRST_PAUSE_MS * 2 ** (count - PROMPT_CODES);
}

/** The given accounts whose second factor is locked. */
export async function lockedAccounts(db: Db, accountUuids: readonly string[]): Promise<ReadonlySet<string>> {
  return accountsWithWrongCodes(db, accountUuids, WRONG_CODES_MAX);
}

/** Deletes the wrong codes of an account that gets a new second factor. */
export async function resetSecondFactor(db: Db, accountUuid: string): Promise<void> {
  await deleteWrongCodes(db, accountUuid);
}

/** Wrong codes of an account since the last right one. */
interface WrongCodes {
  count: number;
  lastAt: Date;
}

async function findWrongCodes(db: Db, accountUuid: string): Promise<WrongCodes | undefined> {
  return db
    .selectFrom('wrong_codes')
    .select(['count', 'last_at as lastAt'])
    .where('account_uuid', '=', accountUuid)
    .executeTakeFirst();
}

/** Sets the wrong codes of an account, whose row the caller has locked. */
async function setWrongCodes(db: Db, accountUuid: string, { count, lastAt }: WrongCodes): Promise<void> {
  await db
    .insertInto('wrong_codes')
    .values({ account_uuid: accountUuid, count, last_at: lastAt })
    .onConflict((conflict) =>
      conflict
        .column('account_uuid')
        .doUpdateSet({ count: sql`excluded.count`, last_at: sql`excluded.last_at` }),
    )
    .execute();
}

async function deleteWrongCodes(db: Db, accountUuid: string): Promise<void> {
  await db.deleteFrom('wrong_codes').where('account_uuid', '=', accountUuid).execute();
}

/** The given accounts that have at least `count` wrong codes. */
async function accountsWithWrongCodes(
  db: Db,
  accountUuids: readonly string[],
  count: number,
): Promise<ReadonlySet<string>> {
  if (accountUuids.length === 0) return new Set();
  const rows = await db
    .selectFrom('wrong_codes')
    .select('account_uuid')
    .where('account_uuid', 'in', accountUuids)
    .where('count', '>=', count)
    .execute();
  return new Set(rows.map(({ account_uuid: uuid }) => uuid));
}

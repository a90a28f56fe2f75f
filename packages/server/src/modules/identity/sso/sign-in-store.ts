import type { Selectable } from 'kysely';
import type { SsoSignInTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

type SignInRow = Selectable<SsoSignInTable>;

/** Most sign-ins of a company under way. Further ones end the oldest, so that a flood does not keep people out for long. */
const SIGN_INS_MAX = 2000;

export async function insertSignIn(
  db: Db,
  companyId: string,
  signIn: Omit<SignInRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('sso_sign_ins')
    .values({ company_uuid: companyId, ...signIn })
    .execute();
  await db
    .deleteFrom('sso_sign_ins')
    .where('state_hash', 'in', (query) =>
      query
        .selectFrom('sso_sign_ins')
        .select('state_hash')
        .where('company_uuid', '=', companyId)
        .orderBy('created_at', 'desc')
        .offset(SIGN_INS_MAX),
    )
    .execute();
}

/** Ends a sign-in of a company under way, and returns it; undefined unless it is of this browser and has not expired. Only one of two concurrent callers succeeds. */
export async function spendSignIn(
  db: Db,
  companyId: string,
  { stateHash, browserHash }: { stateHash: string; browserHash: string },
  now: Date,
): Promise<SignInRow | undefined> {
  return db
    .deleteFrom('sso_sign_ins')
    .where('company_uuid', '=', companyId)
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** A subject of an issuer. */
export interface SubjectKey {
  issuer: string;
  subject: string;
}

/** The person of a company who is a subject of its issuer; they may have left the company since. */
export async function findIdentityUser(
  db: Db,
  companyId: string,
  { issuer, subject }: SubjectKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sso_identities')
    .select('user_uuid')
    .where('company_uuid', '=', companyId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_uuid;
}

/** The subjects that a person of a company is, of one issuer each. */
export async function listIdentities(db: Db, companyId: string, userId: string): Promise<SubjectKey[]> {
  return db
    .selectFrom('sso_identities')
    .select(['issuer', 'subject'])
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .execute();
}

/** Whether a person of a company is a subject of an issuer. */
export async function hasIdentity(
  db: Db,
  companyId: string,
  { issuer, userId }: { issuer: string; userId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('sso_identities')
    .select('subject')
    .where('company_uuid', '=', companyId)
    .where('issuer', '=', issuer)
    .where('user_uuid', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertIdentity(
  db: Db,
  companyId: string,
  { issuer, subject, userId, at }: SubjectKey & { userId: string; at: Date },
): Promise<void> {
  await db
    .insertInto('sso_identities')
    .values({ company_uuid: companyId, issuer, subject, user_uuid: userId, created_at: at })
    .execute();
}

/** Unlinks a person of a company from a subject of an issuer. */
export async function deleteIdentity(
  db: Db,
  companyId: string,
  { issuer, userId }: { issuer: string; userId: string },
): Promise<void> {
  await db
    .deleteFrom('sso_identities')
    .where('company_uuid', '=', companyId)
    .where('issuer', '=', issuer)
    .where('user_uuid', '=', userId)
    .execute();
}

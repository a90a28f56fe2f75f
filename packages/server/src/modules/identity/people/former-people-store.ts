import { createHash } from 'node:crypto';
import { normalAddress } from '../../../platform/mail/normal-address.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { SubjectKey } from '../sso/sign-in-store.ts';

/** Most marks of one person in a company; further ones replace the oldest, so that a person cannot fill the table by changing their address. */
const MARKS_MAX = 50;

/**
 * The digest by which a company recognizes a mail address, regardless of its case and Unicode form. It depends on the company, so that
 * the same address has another one elsewhere. Pure.
 */
export const markOfAddress = (companyId: string, email: string): string =>
  digest([companyId, 'address', normalAddress(email)]);

/** The digest by which a company knows a subject of an issuer again. Pure. */
export const markOfIdentity = (companyId: string, { issuer, subject }: SubjectKey): string =>
  digest([companyId, 'identity', issuer, subject]);

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

/** Notes marks of a person of a company, by which the company recognizes them when they are no longer in it. */
export async function insertMarks(
  db: Db,
  companyId: string,
  { userId, marks, at }: { userId: string; marks: readonly string[]; at: Date },
): Promise<void> {
  if (marks.length === 0) return;
  await db
    .insertInto('people_marks')
    .values(marks.map((mark) => ({ company_uuid: companyId, user_uuid: userId, mark, noted_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['company_uuid', 'mark', 'user_uuid']).doUpdateSet({ noted_at: at }),
    )
    .execute();
  await db
    .deleteFrom('people_marks')
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .where('mark', 'in', (query) =>
      query
        .selectFrom('people_marks')
        .select('mark')
        .where('company_uuid', '=', companyId)
        .where('user_uuid', '=', userId)
        .orderBy('noted_at', 'desc')
        .orderBy('mark')
        .offset(MARKS_MAX),
    )
    .execute();
}

/** Notes an address of a person in all their companies. Crosses companies, since the address is the same in each. */
export async function noteFormerAddress(
  db: Db,
  { userId, email, at }: { userId: string; email: string; at: Date },
): Promise<void> {
  const rows = await db
    .selectFrom('memberships')
    .select('company_uuid')
    .where('user_uuid', '=', userId)
    .execute();
  for (const { company_uuid: companyId } of rows)
    await insertMarks(db, companyId, { userId, marks: [markOfAddress(companyId, email)], at });
}

/** Whether one of the marks belongs to a person who left the company. */
export async function isOfFormerPerson(
  db: Db,
  companyId: string,
  marks: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('people_marks')
    .select('mark')
    .where('people_marks.company_uuid', '=', companyId)
    .where('mark', 'in', [...marks])
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .select('memberships.user_uuid')
            .whereRef('memberships.company_uuid', '=', 'people_marks.company_uuid')
            .whereRef('memberships.user_uuid', '=', 'people_marks.user_uuid'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a company's marks of a person whom it invites back. */
export async function deleteMarks(db: Db, companyId: string, marks: readonly string[]): Promise<void> {
  await db
    .deleteFrom('people_marks')
    .where('company_uuid', '=', companyId)
    .where('mark', 'in', [...marks])
    .execute();
}

import { type Migration, sql } from 'kysely';

/**
 * Who left a company or was removed: digests of the addresses and identities of its people, by which somebody who comes by single sign-on
 * is known again. Those who left before are taken from the change log, with their present address. Earlier releases do not read it.
 */
export const formerPeople: Migration = {
  async up(db) {
    await sql`
      create table people_marks (
        company_uuid uuid not null references companies on delete cascade,
        user_uuid uuid not null references users on delete cascade,
        mark text not null,
        noted_at timestamptz not null,
        primary key (company_uuid, mark, user_uuid)
      )`.execute(db);
    await sql`create index people_marks_of_person on people_marks (company_uuid, user_uuid, noted_at)`.execute(
      db,
    );
    // As markOfAddress does for addresses of plain letters.
    await sql`
      insert into people_marks (company_uuid, user_uuid, mark, noted_at)
      select changes.company_uuid, users.uuid,
        encode(sha256(convert_to(concat_ws(chr(10), changes.company_uuid::text, 'address', lower(users.email)), 'UTF8')), 'hex'),
        max(changes.created_at)
      from changes join users on users.uuid = changes.entity_uuid
      where changes.entity_type = 'user' and changes.action = 'delete'
      group by changes.company_uuid, users.uuid, users.email`.execute(db);
  },
};

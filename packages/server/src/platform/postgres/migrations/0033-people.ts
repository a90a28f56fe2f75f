import { type Migration, sql } from 'kysely';

/**
 * People belong to companies with a role, and are invited. 0.1.0 reads and writes neither table: a trigger at the end of the transaction
 * makes a person that it registers the owner of the new company. `people_marks` has digests of the addresses and identities of people who
 * left a company or were removed, by which a person who comes by single sign-on is recognized.
 */
export const people: Migration = {
  async up(db) {
    await sql`
      create table memberships (
        company_uuid uuid not null references companies on delete cascade,
        user_uuid uuid not null references users on delete cascade,
        role text not null,
        created_at timestamptz not null default now(),
        primary key (company_uuid, user_uuid)
      )`.execute(db);
    await sql`create index memberships_user on memberships (user_uuid)`.execute(db);
    await sql`
      create function add_first_owner() returns trigger language plpgsql as $$
      begin
        insert into memberships (company_uuid, user_uuid, role, created_at)
        select new.company_uuid, new.uuid, 'owner', new.created_at
        where not exists (select from memberships where company_uuid = new.company_uuid)
          and exists (select from users where uuid = new.uuid)
        on conflict do nothing;
        return null;
      end $$`.execute(db);
    // Creating it locks out other writers of users until the end of the migration.
    await sql`
      create constraint trigger add_first_owner after insert on users deferrable initially deferred
      for each row execute function add_first_owner()`.execute(db);
    await sql`
      insert into memberships (company_uuid, user_uuid, role, created_at)
      select company_uuid, uuid, 'owner', created_at from users`.execute(db);
    await sql`
      create table invitations (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        email text not null,
        role text not null,
        token_hash text not null unique,
        invited_by uuid not null references users on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz,
        accepted_at timestamptz
      )`.execute(db);
    await sql`create index invitations_company on invitations (company_uuid, created_at)`.execute(db);
    await sql`create index invitations_email on invitations (lower(email), created_at)`.execute(db);
    await sql`create index invitations_expiry on invitations (expires_at)`.execute(db);
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
  },
};

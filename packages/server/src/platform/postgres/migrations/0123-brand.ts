import { type Migration, sql } from 'kysely';

/**
 * The brand of the installation: one row, absent until an operator changes something. Logos are rows of their own, named by what they
 * contain, since invoices refer to the one that they were issued with.
 */
export const brand: Migration = {
  async up(db) {
    await sql`
      create table brand_logos (
        sha256 text primary key,
        width integer not null,
        height integer not null,
        screen bytea not null,
        icon bytea not null,
        print bytea not null
      )`.execute(db);
    await sql`
      create table brand (
        one boolean primary key default true check (one),
        settings jsonb not null,
        logo_sha256 text references brand_logos
      )`.execute(db);
    await sql`alter table invoices add column logo_sha256 text references brand_logos`.execute(db);
    await sql`create index invoices_logo on invoices (logo_sha256) where logo_sha256 is not null`.execute(db);
  },
};

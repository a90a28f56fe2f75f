import { type Migration, sql } from 'kysely';

/** How companies pay: one row once an operator has written it. */
export const paymentInstructions: Migration = {
  async up(db) {
    await sql`
      create table payment_instructions (
        one boolean primary key default true check (one),
        instructions text not null
      )`.execute(db);
  },
};

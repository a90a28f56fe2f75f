import { type Migration, sql } from 'kysely';

/**
 * Notifications of one person of a company, which end with the membership; those of the whole company name nobody. Earlier
 * releases write only the latter, and show all of them to everybody.
 */
export const ownNotifications: Migration = {
  async up(db) {
    await sql`
      alter table notifications add column user_uuid uuid,
        add constraint notifications_membership foreign key (company_uuid, user_uuid)
          references memberships on delete cascade not valid`.execute(db);
    await sql`
      create index notifications_own on notifications (company_uuid, user_uuid)
      where user_uuid is not null`.execute(db);
  },
};

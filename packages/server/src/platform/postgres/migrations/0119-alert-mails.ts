import { type Migration, sql } from 'kysely';

/**
 * Alerts by mail: what each person wants of a company, and what is due to be mailed. Both end with the membership. Earlier
 * releases read and write neither.
 */
export const alertMails: Migration = {
  async up(db) {
    await sql`
      create table alert_preferences (
        company_uuid uuid not null,
        user_uuid uuid not null,
        kinds text[],
        frequency text not null,
        daily_hour int not null,
        quiet_from int,
        quiet_until int,
        time_zone text,
        mailed_at timestamptz,
        primary key (company_uuid, user_uuid),
        foreign key (company_uuid, user_uuid) references memberships on delete cascade
      )`.execute(db);
    await sql`
      create table alert_mail_items (
        company_uuid uuid not null,
        user_uuid uuid not null,
        notification_uuid uuid not null references notifications on delete cascade,
        due_at timestamptz not null,
        attempts int not null default 0,
        primary key (company_uuid, user_uuid, notification_uuid),
        foreign key (company_uuid, user_uuid) references memberships on delete cascade
      )`.execute(db);
    await sql`create index alert_mail_items_due on alert_mail_items (due_at)`.execute(db);
    await sql`create index alert_mail_items_notification on alert_mail_items (notification_uuid)`.execute(db);
  },
};

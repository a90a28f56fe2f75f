import { IS_APP_EVENT, personProjectionSql } from '../aggregates.ts';

/** Events of people without their names. */
const EVENTS = `groupArrayIf((event_at, revenue_micros, is_ad_revenue, kind = 'app_event_rejected',
    revenue_amount > '' and revenue_known = 0), ${IS_APP_EVENT} and mark = '')`;

/**
 * People, with their install and their events in the app, for cohorts. A later migration replaces it. An older server does not
 * read them.
 */
export const people = [
  `alter table events add projection if not exists person_values ${personProjectionSql(EVENTS)}`,
  `alter table events materialize projection person_values`,
];

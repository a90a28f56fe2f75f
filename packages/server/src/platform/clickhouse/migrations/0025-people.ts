import { personProjectionSql, personSql } from '../aggregates.ts';

/** People, with their install and their events in the app, for cohorts. An older server does not read them. */
export const people = [
  `alter table events add projection if not exists ${personSql.projection} ${personProjectionSql()}`,
  `alter table events materialize projection ${personSql.projection}`,
];

import { appEventValues, appEventValuesSql, personProjectionSql, personSql } from '../aggregates.ts';

/**
 * The projections of in-app events with the source of their revenue, and of people with the names of their events, in place of
 * those without. An earlier server finds all that it queries in the first, and reads cohorts from the events.
 */
export const eventSources = [
  `alter table events add projection if not exists ${appEventValues.name} ${appEventValuesSql()}`,
  `alter table events materialize projection ${appEventValues.name}`,
  'alter table events drop projection if exists app_event_values',
  `alter table events add projection if not exists ${personSql.projection} ${personProjectionSql()}`,
  `alter table events materialize projection ${personSql.projection}`,
  'alter table events drop projection if exists person_values',
];

import { PERSON_EVENTS, personEventsProjectionSql } from '../person-events.ts';

/**
 * One projection with the installs and in-app events of people in place of two, each of which cost an insert more. An earlier
 * server reads the events instead of those that are dropped.
 */
export const personEvents = [
  `alter table events add projection if not exists ${PERSON_EVENTS} ${personEventsProjectionSql()}`,
  `alter table events materialize projection ${PERSON_EVENTS}`,
  'alter table events drop projection if exists app_event_values',
  'alter table events drop projection if exists person_values',
];

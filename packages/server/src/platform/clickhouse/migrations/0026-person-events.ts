import { PERSON_EVENTS, personEventsProjectionSql } from '../person-events.ts';

/**
 * One projection with the installs and in-app events of people in place of two, which each cost one more insert. An earlier
 * server reads the events instead of the dropped projections.
 */
export const personEvents = [
  `alter table events add projection if not exists ${PERSON_EVENTS} ${personEventsProjectionSql()}`,
  `alter table events materialize projection ${PERSON_EVENTS}`,
  'alter table events drop projection if exists app_event_values',
  'alter table events drop projection if exists person_values',
];

import { appEventValues, appEventValuesSql } from '../aggregates.ts';

/** The projection with the in-app events, for reports. An earlier server finds all that it queries. */
export const appEventAggregate = [
  `alter table events add projection if not exists ${appEventValues.name} ${appEventValuesSql()}`,
  `alter table events materialize projection ${appEventValues.name}`,
];

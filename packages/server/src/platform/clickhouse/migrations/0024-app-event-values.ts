import { appEventValuesSql } from '../aggregates.ts';

/**
 * The projection with the in-app events, for reports, without the source of revenue. A later migration replaces it. An earlier
 * server finds all that it queries.
 */
export const appEventAggregate = [
  `alter table events add projection if not exists app_event_values ${appEventValuesSql(['is_ad_revenue'])}`,
  `alter table events materialize projection app_event_values`,
];

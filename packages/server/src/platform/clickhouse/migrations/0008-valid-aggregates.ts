import { projectionSql, reportAggregates } from '../aggregates.ts';
import { replacedAggregates } from './0004-aggregates.ts';

/**
 * Aggregates for reports that separate invalid traffic and subtract rejected installs. An older server finds all that it
 * queries in them.
 */
export const validAggregates = [
  ...reportAggregates.flatMap((aggregate) => [
    `alter table events add projection if not exists ${aggregate.name} ${projectionSql(aggregate)}`,
    `alter table events materialize projection ${aggregate.name}`,
  ]),
  ...replacedAggregates.map(({ name }) => `alter table events drop projection if exists ${name}`),
];

import { childSpan } from '../telemetry/tracing.ts';
import type { ClickHouse } from './client.ts';

const SYSTEM = { 'db.system.name': 'clickhouse' };

/** The same client, whose queries and inserts are parts of the traces that cause them. */
export function traced(clickhouse: ClickHouse): ClickHouse {
  return {
    ...clickhouse,
    query: async (sql, ...more) =>
      childSpan('clickhouse query', { ...SYSTEM, 'db.query.text': sql }, async () =>
        clickhouse.query(sql, ...more),
      ),
    insert: async (table, rows, ...more) =>
      childSpan(
        `clickhouse insert ${table}`,
        { ...SYSTEM, 'db.operation.batch.size': rows.length },
        async () => clickhouse.insert(table, rows, ...more),
      ),
  };
}

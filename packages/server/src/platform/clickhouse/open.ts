import { type ClickHouse, type ClickHouseOptions, connectClickHouse } from './client.ts';
import { migrate } from './migrate.ts';

/** Opens ClickHouse as {@link connectClickHouse} does, and applies pending migrations. */
export async function openClickHouse(options: ClickHouseOptions): Promise<ClickHouse> {
  const clickhouse = await connectClickHouse(options);
  try {
    await migrate(clickhouse);
  } catch (error) {
    await clickhouse.close();
    throw error;
  }
  return clickhouse;
}

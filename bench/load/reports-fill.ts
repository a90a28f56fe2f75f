/** Fills a data folder for the reports bench, in a separate process so that its memory is not the server's. */
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';
import { addHistory } from './many-events.ts';

const [dataDir = '', events = '0', companies = '0', days = '0', endMs = '0'] = process.argv.slice(2);
const clickhouse = await openClickHouse({ dataDir });
await addHistory(clickhouse, {
  events: Number(events),
  companies: Number(companies),
  days: Number(days),
  endMs: Number(endMs),
});
// Merge each month's parts, as in a table that was filled over months.
await clickhouse.command('optimize table events final');
await clickhouse.close();
process.exit();

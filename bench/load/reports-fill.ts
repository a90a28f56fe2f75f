/** Fills a data folder for the reports bench, in a process of its own: what that takes is no server's memory. */
import { openClickHouse } from '../../packages/server/src/platform/clickhouse/open.ts';
import { addHistory } from './many-events.ts';

const [dataDir = '', events = '0', companies = '0', days = '0', endMs = '0'] = process.argv.slice(2);
const clickhouse = await openClickHouse({ dataDir });
await addHistory(clickhouse, {
  events: Number(events),
  companies: Number(companies),
  days: Number(days),
  endMs: Number(endMs),
});
// As many parts as a table has that was filled over months: each month's are merged.
await clickhouse.command('optimize table events final');
await clickhouse.close();
process.exit();

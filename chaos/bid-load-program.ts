/** An exchange in a process of its own: `bid-load-program.ts LOAD`, a `BidLoad` as JSON. Prints what it saw as JSON. */
import { bidRequest } from '@bidwell/testing/exchange';
import { sendOpenLoop } from '@bidwell/testing/load/open-loop';
import type { BidLoad } from './bid-load.ts';

const BODIES = 1000;
/** Requests waiting in fewer connections are answered in time, and hardly any is shed. */
const CONNECTIONS = 900;
const TMAX_MS = 120;

const bodies = Array.from({ length: BODIES }, () =>
  Buffer.from(JSON.stringify(bidRequest({ tmax: TMAX_MS }))),
);
const load = JSON.parse(process.argv[2]!) as BidLoad;
const result = await sendOpenLoop({ ...load, bodies, connections: CONNECTIONS, tmaxMs: TMAX_MS });
process.stdout.write(JSON.stringify(result));

/** An exchange as a child process: bid requests arrive whether or not the bidder keeps up, see {@link sendOpenLoop}. */
import { type OpenLoop, sendOpenLoop } from '@bidwell/testing/load/open-loop';
import { handleOrders } from './child.ts';
import { inventedRequests, mostlyWithoutBids } from './market.ts';

/** A stream of bid requests; `unwanted` gets no bids, see {@link mostlyWithoutBids}. */
export interface OpenLoopOrder extends Omit<OpenLoop, 'bodies' | 'connections' | 'tmaxMs'> {
  stream?: 'invented' | 'unwanted';
}

const TMAX_MS = 120;
const [connectionsText = '256'] = process.argv.slice(2);
const connections = Number(connectionsText);
const bodies = inventedRequests(4000).map((body) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString('utf8')) as object), tmax: TMAX_MS })),
);
const streams = { invented: bodies, unwanted: mostlyWithoutBids(bodies) };

handleOrders(({ stream = 'invented', ...order }: OpenLoopOrder) =>
  sendOpenLoop({ ...order, bodies: streams[stream], connections, tmaxMs: TMAX_MS }),
);

/** The load of the ingest bench: a child process that calls tracker URLs, each once, as fast as they are answered. */
import { setTimeout as wait } from 'node:timers/promises';
import { v4 as uuidv4 } from 'uuid';
import { newBidId } from '@bidwell/server/delivery/openrtb/bid';
import { pathOf, sampleRef } from '@bidwell/server/delivery/trackers/sample-ref';
import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import { Connection, withoutSleep } from '@bidwell/testing/load/connection';
import { handleOrders } from './child.ts';

/** A measurement to run. */
export interface LoadOrder {
  port: number;
  /** When to stop: after this time, or instead after so many requests. */
  durationMs?: number;
  requests?: number;
}

/** Result of a measurement. */
export interface LoadResult {
  answers: number;
  elapsedMs: number;
  latenciesMs: number[];
}

/** Bids whose URLs are generated before the first measurement, when the machine's speed is unknown. */
const BIDS_AT_FIRST = 10_000;
/** Before each further measurement, URLs are generated for this multiple of the fastest rate so far. */
const SPARE = 1.5;
/** Advertisers that share the bids, as in the traffic of one exchange. */
const COMPANIES = 100;
const ADSETS = 2000;
const BIDDER_TAGS = ['0b1dde01', '0b1dde02'];
const [secret = '', connectionsText = '1'] = process.argv.slice(2);
const connections = Number(connectionsText);
const signer = createSigner(secret, 'http://localhost');
const companies = Array.from({ length: COMPANIES }, () => uuidv4());
const adsets = Array.from({ length: ADSETS }, (_, index) =>
  sampleRef({ companyId: companies[index % COMPANIES] }),
);
const paths: string[] = [];
let bids = 0;
/** Responses per second of the fastest measurement so far. */
let fastestPerS = 0;

/** Generates URLs until there are `count`; each is called once. */
function makeAddresses(count: number): void {
  while (paths.length < count) {
    const bidId = newBidId(BIDDER_TAGS[bids % BIDDER_TAGS.length]!);
    const { win, billing, impression } = signer.urlsFor({ ...adsets[bids % ADSETS]!, bidId });
    paths.push(pathOf(win, '2.5'), pathOf(billing, '2.5'), pathOf(impression));
    bids += 1;
  }
}
makeAddresses(BIDS_AT_FIRST * 3);

async function run({ port, durationMs, requests }: LoadOrder): Promise<LoadResult> {
  makeAddresses(requests ?? (fastestPerS * durationMs! * SPARE) / 1000);
  const latenciesMs: number[] = [];
  let sent = 0;
  const startedMs = performance.now();
  const sender = async (): Promise<void> => {
    const connection = await Connection.to(port);
    while (sent < (requests ?? Infinity) && performance.now() - startedMs < (durationMs ?? Infinity)) {
      sent += 1;
      // If the machine is faster than before, more URLs are generated during the measurement.
      if (paths.length === 0) makeAddresses(connections * 30);
      const path = paths.pop()!;
      const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      const sentMs = performance.now();
      const status = await new Promise<number>((resolve) => connection.send(request, resolve));
      if (status !== 200) throw new Error(`A tracker answered ${status}.`);
      latenciesMs.push(performance.now() - sentMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const elapsedMs = performance.now() - startedMs;
  fastestPerS = Math.max(fastestPerS, (latenciesMs.length / elapsedMs) * 1000);
  // Let the sockets close before the next server is measured.
  await wait(50);
  return { answers: latenciesMs.length, elapsedMs, latenciesMs };
}

handleOrders((order: LoadOrder) => withoutSleep(run(order)));

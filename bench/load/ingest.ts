/** The load of the ingest bench: a child process that requests tracker addresses, each once, as fast as it is answered. */
import { setTimeout as wait } from 'node:timers/promises';
import { v4 as uuidv4 } from 'uuid';
import { newBidId } from '../../packages/server/src/delivery/bid-id.ts';
import { pathOf, sampleRef } from '../../packages/server/src/delivery/events/sample-ref.ts';
import { createSigner } from '../../packages/server/src/delivery/events/signing.ts';
import { obey } from './child.ts';
import { Connection } from './connection.ts';

/** What the bench asks for. */
export interface LoadOrder {
  port: number;
  durationMs: number;
}

/** What came of it. */
export interface LoadResult {
  answers: number;
  elapsedMs: number;
  latenciesMs: number[];
}

const BIDS = 40_000;
/** Whose bids they are: as many as one exchange's traffic is shared by, not a new advertiser for each. */
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
const paths = Array.from({ length: BIDS }, (_, index) => {
  const bidId = newBidId(BIDDER_TAGS[index % BIDDER_TAGS.length]!);
  const { win, billing, impression } = signer.urlsFor({ ...adsets[index % ADSETS]!, bidId });
  return [pathOf(win, '2.5'), pathOf(billing, '2.5'), pathOf(impression)];
}).flat();

async function run({ port, durationMs }: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  const sender = async (): Promise<void> => {
    const connection = await Connection.to(port);
    while (performance.now() - startedMs < durationMs) {
      const path = paths.pop();
      if (!path) throw new Error('The addresses have run out: make more of them.');
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
  // The answers' sockets end before the next server is measured.
  await wait(50);
  return { answers: latenciesMs.length, elapsedMs, latenciesMs };
}

obey(run);

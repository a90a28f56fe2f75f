import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { BidRef } from '../model/event.ts';
import { BidSample } from './bid-sample.ts';
import { storeBidSample } from './bid-sample-store.ts';

/** Stores a sample of the bids of this process. */
export interface BidSampler {
  /** Adds a sent bid, without test bids. Takes far less than a microsecond for those that are not sampled. */
  sent(ref: BidRef): void;
  /** Stores the sampled bids that wait. Throws if ClickHouse does not respond; they are then stored later. */
  flush(): Promise<void>;
  /** Stores the last sampled bids; those that cannot be stored are lost. */
  stop(): Promise<void>;
}

const STORE_EVERY_MS = 10_000;

/** Starts to store a sample of the bids, every ten seconds. Nothing here delays or fails a bid. */
export function startBidSampler({
  clickhouse,
  clickhouseReady,
  log,
  now,
  random,
  bidders,
}: {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  random: () => number;
  /** Current number of bidders, including this one. */
  bidders: () => number;
}): BidSampler {
  const sample = new BidSample({ random, bidders });
  const flush = coalesce(async () => {
    const bids = sample.take(now().getTime());
    try {
      await storeBidSample(clickhouse, bids);
    } catch (error) {
      sample.restore(bids);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store a sample of the bids', log, flush, [clickhouseReady]);
  return {
    sent: (ref) => sample.add(ref, now().getTime()),
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last sampled bids were not stored'));
    },
  };
}

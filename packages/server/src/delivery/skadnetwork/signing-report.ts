import type { Logger } from 'pino';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Step } from '../../platform/startup.ts';
import { addOutcomes } from './outcome-store.ts';
import type { SignedBids } from './signed-bids.ts';
import { storeLastBids } from './source-identifier-store.ts';

/** Far below the day by which a number that was bid with stays longer than its postbacks need. */
const STORE_EVERY_MS = 30_000;

/** Stores what a bidder has signed: every half minute, and when it stops. */
export function startSigningReport({
  db,
  postgres,
  log,
  now,
  signedBids,
}: {
  db: Database;
  postgres: Step;
  log: Logger;
  now: () => Date;
  signedBids: SignedBids;
}): Pick<RepeatingJob, 'stop'> & { flush(): Promise<void> } {
  const flush = coalesce(async () => {
    const taken = signedBids.take();
    try {
      await storeLastBids(db, taken.bids, now());
      taken.bids = [];
      await addOutcomes(db, taken.outcomes);
    } catch (error) {
      signedBids.putBack(taken);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store what was signed', log, flush, [postgres]);
  return {
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last signed bids were not stored'));
    },
  };
}

import type { Counter } from 'prom-client';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { SigningDeps } from './openrtb/signed-response.ts';
import { SignedBids } from './skadnetwork/signed-bids.ts';
import { startSigningReport } from './skadnetwork/signing-report.ts';
import { SigningThread } from './skadnetwork/signing-thread.ts';
import type { SkadnetworkSettings } from './skadnetwork/signable.ts';
import type { SnapshotService } from './snapshot/service.ts';

/** Signing of a bidder's bids. */
export interface Signing {
  deps: SigningDeps;
  /** Resolves when what was signed so far is stored. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts to sign the bids of this process; its thread starts once there is a key. */
export function startSigning(
  deps: Pick<DeliveryDeps, 'db' | 'postgres' | 'log' | 'now'>,
  snapshot: Pick<SnapshotService, 'skadnetwork'>,
  counter: Counter<'reason'>,
): Signing {
  const unsigned = (reason: string, bids: number) => counter.inc({ reason }, bids);
  const thread = new SigningThread(deps.log, unsigned);
  const signedBids = new SignedBids();
  const report = startSigningReport({ ...deps, signedBids });
  let current: SkadnetworkSettings | null = null;
  const settings = (): SkadnetworkSettings => {
    const next = snapshot.skadnetwork();
    if (next !== current) {
      current = next;
      thread.setKeys(next.networks.map(({ id, privateKey }) => [id, privateKey]));
    }
    return next;
  };
  settings();
  return {
    deps: { settings, thread, signedBids, unsigned },
    flush: () => report.flush(),
    async stop() {
      await report.stop();
      await thread.close();
    },
  };
}

import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import { lruCache } from '../../platform/lru-cache.ts';

/** Faults that keep an active ad set from bidding. */
export type AdsetFault = 'markup' | 'settings' | 'insecure_address';

/** The ad set with the fault. */
interface FailingAdset {
  adsetId: string;
  companyId: string;
  campaignName: string;
  viewUrl: string;
}

/** Notification to the owner of an ad set. */
export interface AdsetFaultNotice {
  companyId: string;
  adsetId: string;
  /** Idempotency key across processes: the owner gets one notification per key. */
  onceKey: string;
  title: string;
  text: string;
}

/**
 * Reports ad sets that cannot bid. Counts every report; logs and notifies the owner once a day per fault and ad set, or
 * once per view URL for an insecure one.
 */
export interface AdsetFaults {
  /** Returns at once; logging and notification happen asynchronously. */
  report(fault: AdsetFault, adset: FailingAdset, error?: unknown): void;
  /** Resolves when the notifications of all faults reported so far have been sent or have failed. */
  flushed(): Promise<void>;
}

export interface AdsetFaultsDeps {
  log: Logger;
  now: () => Date;
  counter: Counter<'fault'>;
  notify: (notice: AdsetFaultNotice) => Promise<void>;
  /** Whether the server is on https. If not, no secure imp gets a bid and insecure URLs are not reported. */
  servesSecure: boolean;
}

const REMEMBERED_MAX = 20_000;
const WAITING_MAX = 1000;

export function createAdsetFaults({ log, now, counter, notify, servesSecure }: AdsetFaultsDeps): AdsetFaults {
  const reported = lruCache<string, true>(REMEMBERED_MAX);
  let waiting = 0;
  let sending: Promise<void> = Promise.resolve();
  return {
    report(fault, adset, error) {
      if (fault === 'insecure_address' && !servesSecure) return;
      counter.inc({ fault });
      const onceKey = `${fault} ${adset.adsetId} ${spanOf(fault, adset, now())}`;
      if (reported.has(onceKey) || waiting >= WAITING_MAX) return;
      reported.set(onceKey, true);
      waiting += 1;
      sending = sending.then(async () => {
        const { adsetId, companyId } = adset;
        if (error !== undefined) log.error({ err: error, adsetId, companyId, fault }, 'an ad set cannot bid');
        await notify({ companyId, adsetId, onceKey, ...texts[fault](adset.campaignName) }).catch(
          (err: unknown) => {
            log.error({ err }, 'the notification about an ad set that cannot bid could not be sent');
            reported.delete(onceKey);
          },
        );
        waiting -= 1;
      });
    },
    flushed: async () => sending,
  };
}

/** Part of the key that limits repetition: the view URL for `insecure_address`, the day for other faults. */
function spanOf(fault: AdsetFault, { viewUrl }: FailingAdset, at: Date): string {
  return fault === 'insecure_address'
    ? createHash('sha256').update(viewUrl).digest('hex').slice(0, 16)
    : at.toISOString().slice(0, 10);
}

const texts: Record<AdsetFault, (campaign: string) => { title: string; text: string }> = {
  markup: (campaign) => ({
    title: 'An ad set could not be shown',
    text: `An ad of the campaign “${campaign}” could not be made from its creatives and addresses, so this ad set lost a bid. Check its tracking link and creatives; if they are right, tell the operator.`,
  }),
  settings: (campaign) => ({
    title: 'An ad set cannot run',
    text: `The settings of this ad set of the campaign “${campaign}” cannot be read, so it does not bid. Open and save it again; if that does not help, tell the operator.`,
  }),
  insecure_address: (campaign) => ({
    title: 'An ad set misses most of its traffic',
    text: `The view URL of its tracking link, or of one of its creatives, begins with http://. Most apps allow only https:// in their ads, and there this ad set of the campaign “${campaign}” does not bid. Change the address to https://.`,
  }),
};

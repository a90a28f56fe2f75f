import { createHash } from 'node:crypto';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
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
export interface AdsetFaultNotice extends NotificationMessage {
  companyId: string;
  adsetId: string;
  /** Idempotency key across processes: the owner gets one notification per key. */
  onceKey: string;
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
        await notify({ companyId, adsetId, onceKey, ...messageOf[fault](adset.campaignName) }).catch(
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

const messageOf: Record<AdsetFault, (campaign: string) => NotificationMessage> = {
  markup: notificationMessages.adsetNotShown,
  settings: notificationMessages.adsetCannotRun,
  insecure_address: notificationMessages.adsetInsecureAddress,
};

import { INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { daysBefore } from '../platform/days-before.ts';
import { type LedJob, RETENTION_EVERY_MS } from '../platform/jobs/leadership.ts';
import { deleteOlderThan } from '../platform/postgres/delete-in-batches.ts';
import type { Delivery } from './delivery.ts';
import { deleteExpiredClaims } from './event-log/event-claims.ts';
import { deleteOversizedBefore } from './exchanges/oversized-creatives.ts';
import { EXCHANGE_MINUTE_DAYS, deleteExchangeMinutes } from './exchanges/exchange-minutes.ts';
import { deleteBatchesBefore, deleteUnusedCountries } from './pacing/lease-store.ts';
import { deleteOutcomesBefore } from './skadnetwork/signed-bids.ts';
import { deleteOldChanges } from './snapshot/changes.ts';

/** Retention of event claims, in days: one longer than the latest install of a bid is accepted. */
const CLAIM_DAYS = INSTALL_LATENESS_DAYS + 1;
/** Retention, in days, of creatives that were too large for an exchange, after the last bid that showed it. */
const OVERSIZED_DAYS = 7;
/** Retention, in days, of counts of requests by whether a bid on them could be signed. */
const SKADNETWORK_COUNT_DAYS = 30;
/** Age of a batch, in days, at which its mark is deleted: the disk with its events has not come back until then. */
const BATCH_DAYS = 90;

/** The jobs of delivery. */
export function deliveryJobs(
  { db, now }: Parameters<typeof deleteOlderThan>[0],
  delivery: Pick<Delivery, 'reconcileBookedSpend' | 'reconcileNewCountries' | 'correctBookedSpend'>,
): LedJob[] {
  return [
    {
      name: 'book spend that was lost',
      everyMs: 3_600_000,
      work: () => delivery.reconcileBookedSpend(),
      readsEvents: true,
    },
    {
      name: 'add earlier spend to new budgets of countries',
      everyMs: 10_000,
      work: () => delivery.reconcileNewCountries(),
      readsEvents: true,
    },
    { name: 'delete unused budgets of countries', everyMs: 3_600_000, work: () => deleteUnusedCountries(db) },
    {
      name: 'correct spend that was booked too often',
      everyMs: 600_000,
      work: () => delivery.correctBookedSpend(),
      readsEvents: true,
    },
    {
      name: 'delete expired event claims',
      everyMs: 3_600_000,
      work: () => deleteExpiredClaims(db, daysBefore(now(), CLAIM_DAYS).getTime()),
    },
    { name: 'delete old change announcements', everyMs: 600_000, work: () => deleteOldChanges(db) },
    {
      name: 'delete old counts of exchanges',
      everyMs: 3_600_000,
      work: () => deleteExchangeMinutes(db, daysBefore(now(), EXCHANGE_MINUTE_DAYS)),
    },
    {
      name: 'delete creatives that were too large',
      everyMs: 3_600_000,
      work: () => deleteOversizedBefore(db, daysBefore(now(), OVERSIZED_DAYS)),
    },
    {
      name: 'delete old counts of SKAdNetwork',
      everyMs: 3_600_000,
      work: () =>
        deleteOutcomesBefore(db, daysBefore(now(), SKADNETWORK_COUNT_DAYS).toISOString().slice(0, 10)),
    },
    {
      name: 'delete marks of abandoned batches',
      everyMs: RETENTION_EVERY_MS,
      work: () => deleteOlderThan({ db, now }, BATCH_DAYS, deleteBatchesBefore),
    },
  ];
}

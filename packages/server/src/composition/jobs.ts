import type { Delivery } from '../delivery/delivery.ts';
import { deleteExpiredClaims } from '../delivery/events/claims-store.ts';
import { INSTALL_LATENESS_DAYS } from '../delivery/events/ingest.ts';
import { deleteOldChanges } from '../delivery/snapshot/changes-store.ts';
import type { Engines } from '../engines.ts';
import { deleteExpiredSessions } from '../modules/accounts/session-store.ts';
import { checkLastHour } from '../modules/anomalies/service.ts';
import { fetchDomains } from '../modules/apps/fetch-domains.ts';
import { KEY_LIFE_MS } from '../platform/idempotency/once.ts';
import { deleteExpiredKeys } from '../platform/idempotency/store.ts';
import type { RepeatingJob } from '../platform/jobs/repeat.ts';
import { repeat } from '../platform/jobs/repeat.ts';

/** Retention of event claims: one day longer than the latest install of a bid is accepted. */
const CLAIM_LIFE_MS = (INSTALL_LATENESS_DAYS + 1) * 86_400_000;

/** Starts the jobs of this process's roles. */
export function startJobs(
  engines: Engines,
  { delivery, postSpend }: { delivery: Delivery; postSpend: () => Promise<void> },
): RepeatingJob[] {
  const { config, db, log, now } = engines;
  const jobs: RepeatingJob[] = [];
  if (config.roles.has('bidder'))
    jobs.push(repeat(30_000, 'reload funds', log, () => delivery.reloadFunds()));
  if (config.roles.has('jobs'))
    jobs.push(
      repeat(2000, 'post spend to the ledger', log, postSpend),
      repeat(3_600_000, 'delete expired event claims', log, () =>
        deleteExpiredClaims(db, now().getTime() - CLAIM_LIFE_MS),
      ),
      repeat(600_000, 'delete old change announcements', log, () => deleteOldChanges(db)),
      repeat(60_000, 'fetch advertiser domains', log, () => fetchDomains(engines)),
      repeat(60_000, 'detect anomalies', log, () => checkLastHour(engines)),
      repeat(3_600_000, 'delete expired sessions', log, () => deleteExpiredSessions(db, now())),
      repeat(3_600_000, 'delete expired idempotency keys', log, () =>
        deleteExpiredKeys(db, new Date(now().getTime() - KEY_LIFE_MS)),
      ),
    );
  return jobs;
}

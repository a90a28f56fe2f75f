import type { Engines } from '../../engines.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { appsWithoutDomain, markDomainAsked } from './store.ts';

/** Companies are asked in portions, so that a first run after an update does not hold one long transaction. */
const PORTION = 100;

/**
 * Asks the companies whose campaigns run for an app without an advertiser domain to give it; once for each app. Crosses
 * companies, as every job does.
 */
export async function askForDomains(engines: Engines): Promise<void> {
  for (const { uuid, company_uuid: companyId, name } of await appsWithoutDomain(engines.db, PORTION)) {
    await transact(engines.db, async (tx) => {
      if (!(await markDomainAsked(tx.db, companyId, uuid, engines.now()))) return;
      await notify(engines, tx, companyId, {
        kind: 'app',
        title: 'Advertiser domain missing',
        text:
          `Enter the advertiser domain of “${name}”: the developer’s own website. Its campaigns go on, but exchanges ` +
          'may refuse bids without it, and no campaign of the app can be started until it is there.',
        entity: { type: 'app', uuid },
      });
    });
  }
}

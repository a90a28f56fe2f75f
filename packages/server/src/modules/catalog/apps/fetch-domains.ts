import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import { appsWithoutDomain, markDomainFetched } from './service.ts';

/** Most apps per run, so that the first run after an update does not take too long. */
const BATCH_SIZE = 100;

/**
 * Notifies companies with a running campaign for an app without an advertiser domain, once for each app. Covers all
 * companies: for a background job only.
 */
export async function fetchDomains(ctx: Context): Promise<void> {
  for (const { uuid, company_uuid: companyId, name } of await appsWithoutDomain(ctx.db, BATCH_SIZE)) {
    await transact(ctx.db, async (tx) => {
      if (!(await markDomainFetched(tx.db, companyId, uuid, ctx.now()))) return;
      await notify(ctx, tx, companyId, {
        kind: 'app',
        ...notificationMessages.domainMissing(name),
        entity: { type: 'app', uuid },
      });
    });
  }
}

import type { Engines } from '../engines.ts';
import { deleteExpiredChanges } from '../modules/changes/service.ts';
import { rollUpLedger } from '../modules/finance/roll-up.ts';
import { deleteExpiredNotifications } from '../modules/notifications/service.ts';
import { deleteExpiredActs } from '../modules/operator-accounts/service.ts';

/** What grows with use and is deleted or summed up by age: the jobs of one process do so as the settings say. */
export const retentionJobs: readonly { name: string; work: (engines: Engines) => Promise<unknown> }[] = [
  { name: 'delete old changes of entities', work: deleteExpiredChanges },
  { name: 'delete old notifications', work: deleteExpiredNotifications },
  { name: 'delete old acts of operators', work: deleteExpiredActs },
  { name: 'sum up old months of the ledger', work: rollUpLedger },
];

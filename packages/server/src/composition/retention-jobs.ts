import type { Engines } from '../engines.ts';
import { deleteExpiredChanges } from '../modules/changes/service.ts';
import { deleteExpiredNotifications } from '../modules/notifications/service.ts';
import { deleteExpiredActs } from '../modules/operator-accounts/service.ts';

/** What grows with use and is deleted by age: the jobs of one process delete what the settings no longer keep. */
export const retentionJobs: readonly { name: string; work: (engines: Engines) => Promise<unknown> }[] = [
  { name: 'delete old changes of entities', work: deleteExpiredChanges },
  { name: 'delete old notifications', work: deleteExpiredNotifications },
  { name: 'delete old acts of operators', work: deleteExpiredActs },
];

import { MarkRead, Notification } from './schema.ts';
import { appSummaryExample } from '../apps/examples.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';

/** The examples of the API's documents. */
export const notificationExamples = [
  exampleOf(
    Notification,
    {
      uuid: exampleUuid(14),
      kind: 'moderation',
      title: 'App approved',
      text: 'Harbor Match may take part in campaigns.',
      severity: 'info',
      entity_type: 'app',
      entity_uuid: appSummaryExample.uuid,
      is_own: false,
      read: false,
      created_at: exampleTimes.created_at,
    },
    'Notification',
  ),
  exampleOf(MarkRead, { ids: [exampleUuid(14)] }),
];

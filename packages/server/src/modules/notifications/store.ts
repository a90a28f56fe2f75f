import type { EntityType } from '@bidwell/contract/change';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../platform/postgres/transaction.ts';

export interface NewNotification {
  kind: string;
  title: string;
  text: string;
  entity?: { type: EntityType; uuid: string } | undefined;
  at: Date;
}

export async function insertNotification(db: Db, companyId: string, notification: NewNotification): Promise<string> {
  const uuid = uuidv7();
  await db
    .insertInto('notifications')
    .values({
      uuid,
      company_uuid: companyId,
      kind: notification.kind,
      title: notification.title,
      text: notification.text,
      entity_type: notification.entity?.type ?? null,
      entity_uuid: notification.entity?.uuid ?? null,
      read_at: null,
      created_at: notification.at,
    })
    .execute();
  return uuid;
}

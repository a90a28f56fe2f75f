import type { Generated } from 'kysely';

/** The lanes of messages: see `modules/messaging/lanes.ts`. */
export type MessageLane = 'awaited' | 'today_mail' | 'today_post' | 'bulk';

/** A message that waits to leave. It is being sent until `claimed_until`, if that is not over. */
export interface MessageTable {
  uuid: string;
  kind: string;
  /** The id of its subject, by which logs name it. */
  about: string;
  lane: MessageLane;
  company_uuid: string | null;
  /** The person that it is for, or whose account it is about. */
  user_uuid: string | null;
  /** Messages of one queue leave one at a time. */
  queue: string;
  /** The receiving host, or the domain of a mail address. */
  host: string;
  /** Encrypted; null where the message is made of other tables when it is sent. */
  content: string | null;
  attempts: Generated<number>;
  due_at: Date;
  claimed_until: Date | null;
  /** The message is given up from then on; null for a message that is useful at any time. */
  expires_at: Date | null;
  created_at: Date;
}

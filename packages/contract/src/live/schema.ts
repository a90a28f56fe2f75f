import { z } from 'zod';
import { ChangeAction, EntityType } from '../changes/schema.ts';
import { Balance } from '../finance/schema.ts';
import { CalendarDate, Uuid } from '../lib/wire.ts';

/** A live update that the server publishes to the open pages of a company (docs/realtime.md). */
export const LiveMessage = z.discriminatedUnion('type', [
  /** An entity was changed; `tab` identifies the page that made the change, if it sent its id. */
  z.object({
    type: z.literal('entity'),
    entity: EntityType,
    uuid: z.string(),
    action: ChangeAction,
    tab: z.string().optional(),
  }),
  z.object({
    type: z.literal('notification'),
    uuid: Uuid,
    kind: z.string(),
    title: z.string(),
    text: z.string(),
  }),
  /** A person of the company got notifications of their own, which are not in the message. */
  z.object({ type: z.literal('own_notifications') }),
  /** Notifications that were marked as read. */
  z.object({ type: z.literal('read'), uuids: z.array(Uuid) }),
  /** The company's totals of today so far and its balance; at most once a second. Spend is in dollars. */
  z.object({
    type: z.literal('today'),
    date: CalendarDate,
    counts: z.object({
      clicks: z.number(),
      installs: z.number(),
      impressions: z.number(),
      spends: z.number(),
    }),
    balance: Balance,
  }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

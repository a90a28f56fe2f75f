import { z } from 'zod';
import { ChangeAction, EntityType } from './change.ts';
import { Balance } from './finance.ts';
import { CalendarDate, Uuid } from './wire.ts';

/** What the server tells the open pages of a company, as the data of a publication (docs/realtime.md). */
export const LiveMessage = z.discriminatedUnion('type', [
  /** Something was changed; `tab` is the page that did it, where one did and said who it is. */
  z.object({
    type: z.literal('entity'),
    entity: EntityType,
    uuid: z.string(),
    action: ChangeAction,
    tab: z.string().optional(),
  }),
  z.object({ type: z.literal('notification'), uuid: Uuid, title: z.string(), text: z.string() }),
  /** Notifications that someone has read. */
  z.object({ type: z.literal('read'), uuids: z.array(Uuid) }),
  /** What the company's day amounts to so far, and its balance: at most once a second. Spend is in dollars. */
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

import { z } from 'zod';
import { campaignMessages } from '../campaigns/messages.ts';
import { CalendarDate } from '../lib/wire.ts';

/** The range of days of a report about delivery. */
export const DeliveryQuery = z
  .object({ start_date: CalendarDate, end_date: CalendarDate })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: campaignMessages.endBeforeStart,
  });
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

import type { Context } from '../../context.ts';

const DAY_MS = 86_400_000;

/** Start of the first month of which no event has been deleted. Retention deletes whole months. */
export function retainedSinceMs({ config, now }: Context): number {
  const { events } = config.retentionDays;
  if (events === null) return 0;
  const oldest = new Date(now().getTime() - events * DAY_MS);
  return Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth() + 1, 1);
}

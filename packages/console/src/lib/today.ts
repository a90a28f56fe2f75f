import { dateAt } from '@bidwell/contract/lib/calendar';
import { useMemo, useSyncExternalStore } from 'react';
import { useKnown } from '../lib/loadable.ts';
import { accountQuery } from './api/account.ts';
import type { Present } from './format/dates.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Today, YYYY-MM-DD, in the company's time zone, which reports use, wherever the reader is. */
export function useToday(): string {
  return useTodayIn(useTimeZone());
}

/** The company's time zone, in which its reports have their days; UTC until it is loaded. */
export function useTimeZone(): string {
  const user = useKnown(accountQuery);
  return user?.company.time_zone ?? 'UTC';
}

/** Today, YYYY-MM-DD, in a time zone. */
export function useTodayIn(timeZone: string): string {
  return useSyncExternalStore(eachMinute, () => dateAt(Date.now(), timeZone));
}

/** The present day of the company, and the time in steps of a quarter of an hour, which hours of all time zones begin at. */
export function usePresent(timeZone: string): Present {
  const today = useTodayIn(timeZone);
  const nowMs = useSyncExternalStore(eachMinute, () => Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS);
  return useMemo(() => ({ today, nowMs }), [today, nowMs]);
}

/** Checks every minute, so that a page open overnight shows the new day. */
function eachMinute(notify: () => void): () => void {
  const timer = setInterval(notify, MINUTE_MS);
  return () => clearInterval(timer);
}

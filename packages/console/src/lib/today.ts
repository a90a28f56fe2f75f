import { dateAt } from '@bidwell/contract/calendar';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from './queries/account.ts';

/** Today, YYYY-MM-DD, where the company is: reports count their days there, wherever the reader sits. */
export function useToday(): string {
  const { data: user } = useQuery(accountQuery);
  return dateAt(Date.now(), user?.company.time_zone ?? 'UTC');
}

import { listMainFindings } from '@bidwell/contract/insight/finding-endpoints';
import type { MainFindings } from '@bidwell/contract/insight/finding';
import { api } from '../../lib/api/api-client.ts';

/** The main limit of each active campaign and ad set, and the learning data of ad sets. */
export const loadMainFindings = async ({
  start,
  end,
}: {
  start: string;
  end: string;
}): Promise<MainFindings> => api.call(listMainFindings, { query: { start_date: start, end_date: end } });

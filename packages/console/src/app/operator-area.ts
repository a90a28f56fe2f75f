import { ApiError } from '../lib/api/api-error.ts';
import { queryClient } from '../lib/api/query-client.ts';
import { mayCall, operatorSessionQuery } from '../entities/operator-accounts/session-queries.ts';

/** Whether an operator is logged in. An unavailable server does not end the session: the screens report it. */
export async function mayOpenOperatorConsole(): Promise<boolean> {
  try {
    await queryClient.ensureQueryData(operatorSessionQuery);
    return true;
  } catch (error) {
    return !(error instanceof ApiError && error.status === 401);
  }
}

/** Where /operator leads: to the queue for operators who decide on ads, to the log for others. */
export function operatorHome(): string {
  const operator = queryClient.getQueryData(operatorSessionQuery.queryKey);
  return mayCall(operator?.role, 'moderation.decide') ? '/operator/review' : '/operator/log';
}

import { ApiError } from '../lib/api-error.ts';
import { queryClient } from '../lib/query-client.ts';
import { operatorSessionQuery } from '../lib/queries/operator-session.ts';

/** Whether an operator is logged in. An unavailable server does not end the session: the screens report it. */
export async function mayOpenOperatorConsole(): Promise<boolean> {
  try {
    await queryClient.ensureQueryData(operatorSessionQuery);
    return true;
  } catch (error) {
    return !(error instanceof ApiError && error.status === 401);
  }
}

import * as endpoints from '@bidwell/contract/accounts/endpoints';
import { endViewerSession } from '@bidwell/contract/accounts/viewer-endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api, withoutReads } from './api-client.ts';
import { deleteDrafts } from '../draft.ts';
import { queryClient, staleTimes } from './query-client.ts';
import { accessToken, endSessionEverywhere, markLoggedOut, userId } from './session.ts';
import { leaveViewing, viewing } from './viewing.ts';

/** The logged-in user. */
export const accountQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async () => {
    await accessToken();
    return api.call(endpoints.readUser, { params: { user_id: userId()! } });
  },
  staleTime: staleTimes.hour,
  gcTime: staleTimes.hour,
});

/** How long a log out waits for a server that does not respond. */
const LOGOUT_WAIT_MS = 3000;

/**
 * Ends the session in every tab of this browser, and with `everywhere` on every device of the user. Local data is
 * deleted whether or not the server responds. If it does not, the next request that reaches it ends the session there. An
 * operator's read-only session ends alone.
 */
export async function logOut({ everywhere = false } = {}): Promise<void> {
  if (viewing) {
    await atMost(api.callAsUser(endViewerSession));
    return leaveViewing(viewing.return_path ?? '/login');
  }
  markLoggedOut({ everywhere });
  // The screens keep what they show until the session has ended.
  await queryClient.cancelQueries();
  await withoutReads(async () => {
    await atMost(api.call(endpoints.logOut, everywhere ? { body: { everywhere: true } } : {}));
    queryClient.clear();
    deleteDrafts();
    endSessionEverywhere();
  });
}

/** Waits for a request, whether or not it succeeds, for {@link LOGOUT_WAIT_MS} at most. */
async function atMost(request: Promise<unknown>): Promise<void> {
  await Promise.race([
    request.catch(() => {}),
    new Promise((resolve) => {
      setTimeout(resolve, LOGOUT_WAIT_MS);
    }),
  ]);
}

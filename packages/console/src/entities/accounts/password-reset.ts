import type { NewPassword } from '@bidwell/contract/accounts/schema';
import * as endpoints from '@bidwell/contract/accounts/endpoints';
import { api } from '../../lib/api/api-client.ts';

/** Whether the server sends links for new passwords; false when that cannot be read. */
export async function offersPasswordReset(): Promise<boolean> {
  return api.call(endpoints.readPasswordReset).then(
    ({ is_offered: isOffered }) => isOffered,
    () => false,
  );
}

/** Requests a link by mail, for the user of the login if there is one. */
export const requestPasswordReset = async (login: string): Promise<unknown> =>
  api.call(endpoints.requestPasswordReset, { body: { login } });

/** Sets a new password by the token of a link. */
export const resetPassword = async (input: NewPassword): Promise<unknown> =>
  api.call(endpoints.resetPassword, { body: input });

import * as endpoints from '@bidwell/contract/accounts/endpoints';
import { api } from '../../lib/api/api-client.ts';

/** Confirms a mail address by the token of a link. */
export const confirmAddress = async (token: string): Promise<{ email: string }> =>
  api.call(endpoints.confirmAddress, { body: { token } });

/** Sends the link that confirms the user's mail address again. */
export const requestAddressConfirmation = async (): Promise<unknown> =>
  api.call(endpoints.requestAddressConfirmation);

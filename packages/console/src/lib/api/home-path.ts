import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { accountQuery } from './account.ts';
import { queryClient } from './query-client.ts';

/** The path of the first screen that the role of the logged-in user may read: campaigns, also where the role cannot be read. */
export async function homePath(): Promise<'/campaigns' | '/finances'> {
  const user = await queryClient.ensureQueryData({ ...accountQuery, retry: false }).catch(() => null);
  return !user || companyRoleHas(user.role, 'campaign.read') ? '/campaigns' : '/finances';
}

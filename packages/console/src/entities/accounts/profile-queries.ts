import type { ProfileInput } from '@bidwell/contract/accounts/schema';
import { updateUser } from '@bidwell/contract/accounts/endpoints';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { accountQuery } from '../../lib/api/account.ts';

/** Saves the user's profile, only of the version; `avatar` is a new picture, null to remove it, undefined to keep it. */
export async function saveProfile(
  userUuid: string,
  profile: ProfileInput,
  avatar: File | null | undefined,
  version: string | undefined,
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(profile)) form.append(name, String(value));
  if (avatar === null) form.append('avatar', '');
  else if (avatar) form.append('avatar', avatar);
  queryClient.setQueryData(
    accountQuery.queryKey,
    await api.upload(updateUser, { params: { user_id: userUuid }, form, version }),
  );
}

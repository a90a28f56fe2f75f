import type { CompanyInput } from '@bidwell/contract/accounts/schema';
import { updateCompany } from '@bidwell/contract/accounts/endpoints';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { accountQuery } from '../../lib/api/account.ts';

/** Changes the company's name and time zone, only of the version, where one is given; all is read again, since most screens have days. */
export async function saveCompany(uuid: string, input: CompanyInput, version?: string): Promise<void> {
  const company = await api.change(updateCompany, version, { params: { uid: uuid }, body: input });
  queryClient.setQueryData(accountQuery.queryKey, (user) => user && { ...user, company });
  await queryClient.invalidateQueries();
}

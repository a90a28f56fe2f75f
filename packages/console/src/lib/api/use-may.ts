import { type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from './account.ts';

/** Whether the role of the logged-in user has a permission; true until the role is known. */
export function useMay(permission: Permission): boolean {
  const { data: user } = useQuery(accountQuery);
  return !user || companyRoleHas(user.role, permission);
}

import { type CompanyRole, type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { createContext, useContext } from 'react';

/** The role of the logged-in user; undefined until it is known. A context, since rows of tables read it in many places. */
export const RoleContext = createContext<CompanyRole | undefined>(undefined);

/** Whether the role of the logged-in user has a permission; undefined until the role is known. */
export function useMay(permission: Permission): boolean | undefined {
  const role = useContext(RoleContext);
  return role && companyRoleHas(role, permission);
}

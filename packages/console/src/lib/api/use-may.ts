import { type CompanyRole, type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { createContext, useContext } from 'react';
import { viewing } from './viewing.ts';

/** The role of the logged-in user; undefined until it is known. A context, since rows of tables read it in many places. */
export const RoleContext = createContext<CompanyRole | undefined>(undefined);

/** Whether a role has a permission in this tab: an operator who views the company as someone of it only reads. */
export function mayAs(role: CompanyRole, permission: Permission): boolean {
  return companyRoleHas(role, permission) && (viewing === null || permission.endsWith('.read'));
}

/** Whether the role of the logged-in user has a permission; undefined until the role is known. */
export function useMay(permission: Permission): boolean | undefined {
  const role = useContext(RoleContext);
  return role && mayAs(role, permission);
}

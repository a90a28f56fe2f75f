import { COMPANY_ROLES, type CompanyRole } from '@bidwell/contract/accounts/permission';

/** Names of the roles, and what each may do. */
export const roleNames: Record<CompanyRole, string> = {
  owner: 'Owner',
  editor: 'Editor',
  analyst: 'Analyst',
  finance: 'Finance',
};
const roleRights: Record<CompanyRole, string> = {
  owner: 'everything, including people',
  editor: 'everything except money and people',
  analyst: 'reads everything',
  finance: 'money only',
};

export const roleOptions = COMPANY_ROLES.map((value) => ({
  value,
  label: `${roleNames[value]}: ${roleRights[value]}`,
}));

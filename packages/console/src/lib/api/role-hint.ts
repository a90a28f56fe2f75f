import { type CompanyRole, companyRoleHas } from '@bidwell/contract/accounts/permission';

const KEY = 'bidwell.few-screens';

/** Notes in this browser whether a role opens few screens only, for the next load of a page. */
export function noteRole(role: CompanyRole): void {
  try {
    if (companyRoleHas(role, 'campaign.read')) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, '1');
  } catch {
    // Without storage a screen sends calls that the server refuses until the role is known.
  }
}

/** Whether the last role in this browser opened few screens only: then a screen waits for the role before it asks for anything. */
export function openedFewScreens(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

import { API_SCOPES, type ApiScope } from '@bidwell/contract/accounts/scope';

/** Names of the scopes of API keys, and what each lets a program do. */
const scopeNames: Record<ApiScope, string> = {
  reports: 'Reports',
  read: 'Read everything',
  campaigns: 'Campaigns',
  creatives: 'Creatives',
  finance: 'Finance',
  settings: 'Settings',
  audience_sync: 'Audience sync',
};
const scopeRights: Record<ApiScope, string> = {
  reports: 'Reads reports and exports; no audiences',
  read: 'Reads everything that your role can read, and changes nothing',
  campaigns:
    'Creates and changes apps, targets, audiences and their ids, tracking links, ad sets and campaigns',
  creatives: 'Uploads and changes creatives and their groups',
  finance: 'Reads the balance and transactions, and requests top-ups',
  settings: 'Changes the company, postbacks of measurement partners and notifications',
  audience_sync:
    'For AppsFlyer: creates its audiences and replaces their ids, and reads and changes nothing else',
};

export const scopeOptions = API_SCOPES.map((value) => ({
  value,
  label: scopeNames[value],
  description: scopeRights[value],
}));

/** What a key may do, as names of its scopes. */
export function scopesText(scopes: readonly ApiScope[]): string {
  return scopes.map((scope) => scopeNames[scope]).join(', ');
}

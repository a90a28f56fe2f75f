import { type CompanyRole, type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';

/** What the screens at a path and below it show, in words, and the permission to read it. */
interface ScreenRight {
  prefix: string;
  permission: Permission;
  shows: string;
}

const RIGHTS: readonly ScreenRight[] = [
  { prefix: '/campaigns', permission: 'campaign.read', shows: 'campaigns' },
  { prefix: '/adset', permission: 'adset.read', shows: 'ad sets' },
  { prefix: '/reports', permission: 'report.read', shows: 'reports' },
  { prefix: '/assets', permission: 'app.read', shows: 'assets' },
  { prefix: '/add-app', permission: 'app.read', shows: 'apps' },
  { prefix: '/edit-app', permission: 'app.read', shows: 'apps' },
  { prefix: '/creative', permission: 'creative.read', shows: 'creatives' },
  { prefix: '/targets', permission: 'target.read', shows: 'targets' },
  { prefix: '/tracking-links', permission: 'tracking_link.read', shows: 'tracking links' },
  { prefix: '/changes', permission: 'change.read', shows: 'the change log' },
];

/** The permission to read the screen at a path; undefined if everyone may read it. Pure. */
export function rightFor(path: string): ScreenRight | undefined {
  return RIGHTS.find(({ prefix }) => path.startsWith(prefix));
}

/** Whether a role includes the screen at a path; true for every screen while the role is not known. Pure. */
export function mayOpen(role: CompanyRole | undefined, path: string): boolean {
  const right = rightFor(path);
  return !role || !right || companyRoleHas(role, right.permission);
}

/**
 * The paths of the console's screens, with `$` before parameters, as its router has them. The server sends the page for these and for no
 * other, so that a mistyped address of a partner is not answered with a page.
 */
export const CONSOLE_PATHS = [
  '/',
  '/login',
  '/registration',
  '/view',
  '/password-reset',
  '/invitation',
  '/confirm-address',
  '/unsubscribe',
  '/unsubscribe-report',
  '/sso',
  '/sso/callback/$uuid',
  '/campaigns',
  '/campaigns/create',
  '/campaigns/drafts',
  '/campaigns/approvals',
  '/campaigns/edit',
  '/campaigns/delivery',
  '/adset',
  '/adset/edit',
  '/add-app',
  '/edit-app',
  '/assets',
  '/creative-groups',
  '/creative-groups/edit',
  '/creatives',
  '/creatives/add-creative',
  '/targets',
  '/targets/edit',
  '/tracking-links',
  '/tracking-links/edit',
  '/reports',
  '/reports/cohorts',
  '/reports/skadnetwork',
  '/reports/scheduled',
  '/finances',
  '/profile',
  '/alerts',
  '/companies',
  '/changes',
  '/operator',
  '/operator/login',
  '/operator/review',
  '/operator/health',
  '/operator/companies',
  '/operator/companies/$uuid',
  '/operator/companies/$uuid/statement',
  '/operator/money',
  '/operator/exchanges',
  '/operator/exchanges/$slug',
  '/operator/skadnetwork',
  '/operator/partners',
  '/operator/brand',
  '/operator/operators',
  '/operator/log',
  '/operator/account',
] as const;

export type ConsolePath = (typeof CONSOLE_PATHS)[number];

const patternOf = (path: string) => path.slice(1).replaceAll(/\$\w+/g, '[^/]+');
const ANY = new RegExp(`^/(?:${CONSOLE_PATHS.map(patternOf).join('|')})/?$`, 'i');

/** Whether the console has a screen at a path, in any case and with a slash at its end or not, as its router reads them. Pure. */
export function isConsolePath(path: string): boolean {
  try {
    return path === '/' || ANY.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

import type { ConsolePath } from '@bidwell/contract/reference/console-paths';
import { brand } from '../lib/brand.ts';

/** Titles of the screens, for the document title and the command palette. */
export const screenTitles = {
  '/login': 'Log in',
  '/registration': 'Create an account',
  '/view': 'Read-only view',
  '/password-reset': 'New password',
  '/invitation': 'Invitation',
  '/confirm-address': 'Confirm a mail address',
  '/unsubscribe': 'End mails',
  '/unsubscribe-report': 'End mails of a report',
  '/sso': 'Single sign-on',
  '/sso/callback/$uuid': 'Single sign-on',
  '/campaigns': 'Campaigns',
  '/campaigns/create': 'New campaign',
  '/campaigns/drafts': 'Drafts',
  '/campaigns/approvals': 'Approvals',
  '/campaigns/edit': 'Edit campaign',
  '/campaigns/delivery': 'Delivery',
  '/adset': 'New ad set',
  '/adset/edit': 'Edit ad set',
  '/add-app': 'New app',
  '/edit-app': 'Edit app',
  '/assets': 'Assets',
  '/creative-groups': 'Creative groups',
  '/creative-groups/edit': 'Creative group',
  '/creatives': 'Creatives',
  '/creatives/add-creative': 'Add creatives',
  '/targets': 'Targets',
  '/targets/edit': 'Target',
  '/tracking-links': 'Tracking links',
  '/tracking-links/edit': 'Tracking link',
  '/reports': 'Reports',
  '/reports/cohorts': 'Cohorts',
  '/reports/skadnetwork': 'SKAdNetwork',
  '/reports/scheduled': 'Scheduled reports',
  '/finances': 'Finances',
  '/profile': 'Profile',
  '/alerts': 'Alerts',
  '/companies': 'All companies',
  '/changes': 'Change log',
  '/operator': 'Operator console',
  '/operator/login': 'Operator console',
  '/operator/review': 'Review',
  '/operator/health': 'Health',
  '/operator/companies': 'Companies',
  '/operator/companies/$uuid': 'Company',
  '/operator/companies/$uuid/statement': 'Statement',
  '/operator/money': 'Money',
  '/operator/exchanges': 'Exchanges',
  '/operator/skadnetwork': 'SKAdNetwork',
  '/operator/partners': 'Measurement partners',
  '/operator/brand': 'Brand',
  '/operator/operators': 'Operators',
  '/operator/log': 'Log of operators',
  '/operator/account': 'Your account',
} as const satisfies Partial<Record<ConsolePath, string>>;

export type ScreenPath = keyof typeof screenTitles;

/** The document title for a path, known or not. */
export function documentTitle(path: string): string {
  const template = listOf(path).replaceAll(/(?<=\/)[\da-f]{8}-[\da-f-]{27}(?=\/|$)/g, () => '$uuid');
  const title = screenTitles[template as ScreenPath] as string | undefined;
  return `${title ?? 'Page not found'} · ${brand.name}`;
}

/** The path of the list of exchanges for the page of one; other paths as they are. */
function listOf(path: string): string {
  return path.replace(/^(\/operator\/exchanges)\/[^/]+$/, '$1');
}

import type { Permission } from '@bidwell/contract/accounts/permission';
import type { screenTitles } from '../screens.ts';

/** Screens that are opened in another way: before a login, for an entity, to create something, or by operators. */
type Elsewhere =
  | '/login'
  | '/registration'
  | '/view'
  | '/password-reset'
  | '/invitation'
  | '/confirm-address'
  | '/unsubscribe'
  | '/unsubscribe-report'
  | '/sso'
  | '/sso/callback/$uuid'
  | '/campaigns/create'
  | '/campaigns/edit'
  | '/campaigns/delivery'
  | '/adset'
  | '/adset/edit'
  | '/add-app'
  | '/edit-app'
  | '/creative-groups/edit'
  | '/creatives/add-creative'
  | '/targets/edit'
  | '/tracking-links/edit'
  | `/operator${string}`;
type PlacePath = Exclude<keyof typeof screenTitles, Elsewhere>;

/** A screen that is found by its title. */
export interface Place {
  /** Further words that find it. */
  words: string;
  /** Parts of the screen that the URL holds, each found by its name. */
  parts?: readonly { label: string; words: string; search: object; permission?: Permission }[];
}

/** Every screen that opens without an entity: one that is added must be here or in `Elsewhere`, or this does not compile. */
export const PLACES: Readonly<Record<PlacePath, Place>> = {
  '/campaigns': { words: 'budget bid status start pause ad sets dashboard home' },
  '/campaigns/drafts': { words: 'unfinished campaigns' },
  '/campaigns/approvals': { words: 'approve budget request second person' },
  '/reports': { words: 'overview statistics figures export csv spend installs' },
  '/reports/cohorts': { words: 'retention roas ltv revenue' },
  '/reports/skadnetwork': { words: 'skan apple ios postbacks conversion values' },
  '/reports/scheduled': { words: 'schedule report mail' },
  '/assets': { words: 'apps store link' },
  '/creatives': { words: 'images videos playables native banners upload' },
  '/creative-groups': { words: 'ads' },
  '/targets': { words: 'countries devices languages targeting location' },
  '/tracking-links': { words: 'click url view url measurement partner mmp postbacks' },
  '/finances': {
    words: 'balance top up payments transactions funds money',
    parts: [
      { label: 'Invoices', words: 'bill billing details vat tax credit note', search: { view: 'invoices' } },
      { label: 'Spend by day', words: 'statement finances', search: { view: 'day' } },
      { label: 'Spend by campaign', words: 'statement finances', search: { view: 'campaign' } },
      { label: 'Reconcile', words: 'finances reconciliation', search: { view: 'reconcile' } },
    ],
  },
  '/profile': {
    words: 'account name mail avatar',
    parts: [
      {
        label: 'Sign-in',
        words: 'password second factor 2fa passkey authenticator sessions devices',
        search: { tab: 'sign-in' },
      },
      {
        label: 'Company',
        words: 'settings time zone budget limits approval single sign-on sso',
        search: { tab: 'company' },
        permission: 'company.write',
      },
      {
        label: 'People',
        words: 'users invite colleagues team roles members',
        search: { tab: 'people' },
        permission: 'people.read',
      },
      {
        label: 'API keys',
        words: 'api key token mcp integration developer',
        search: { tab: 'api' },
        permission: 'api_token.read',
      },
    ],
  },
  '/alerts': { words: 'notifications rules mail slack telegram webhook channels' },
  '/companies': { words: 'switch company agency' },
  '/changes': { words: 'history audit who changed undo' },
};

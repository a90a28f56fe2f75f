import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { profileSearch } from '../features/accounts/profile-search.ts';
import { creativeSearch } from '../features/creatives/creative-search.ts';
import { cohortSearch } from '../features/reports/cohorts/cohort-search.ts';
import { skadnetworkSearch } from '../features/reports/skadnetwork/skadnetwork-search.ts';
import { reportSearch } from '../features/reports/report-search.ts';
import { entityId } from '../lib/entity-id.ts';
import { rememberReturnAddress } from '../lib/api/return-address.ts';
import { accessToken, mayHaveSession } from '../lib/api/session.ts';
import { PendingScreen, lazyScreen, routeCode, stayWhileAway } from './loading/lazy-screen.tsx';
import { operatorRoutes } from './operator-routes.ts';
import { tableSearch } from './table-search-schema.ts';
import { NotFoundScreen, RouteErrorScreen } from '../ui/layout/error-screens.tsx';

const root = createRootRoute({ notFoundComponent: NotFoundScreen });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    if (!mayHaveSession()) throw redirect({ to: '/login' });
    const { homePath } = await routeCode(() => import('../lib/api/home-path.ts'));
    throw redirect({ to: await homePath() });
  },
});

const toHomeWithSession = () => {
  if (mayHaveSession()) throw redirect({ to: '/' });
};

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: toHomeWithSession,
  component: lazyScreen(() => import('../features/accounts/login-screen.tsx'), 'LoginScreen'),
});

const registration = createRoute({
  getParentRoute: () => root,
  path: '/registration',
  beforeLoad: toHomeWithSession,
  component: lazyScreen(() => import('../features/accounts/registration-screen.tsx'), 'RegistrationScreen'),
});

const view = createRoute({
  getParentRoute: () => root,
  path: '/view',
  component: lazyScreen(() => import('../features/accounts/view-screen.tsx'), 'ViewScreen'),
});
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyScreen(
    () => import('../features/accounts/password-reset-screen.tsx'),
    'PasswordResetScreen',
  ),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyScreen(() => import('../features/accounts/invitation-screen.tsx'), 'InvitationScreen'),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: '/confirm-address',
  component: lazyScreen(() => import('../features/accounts/mail-link-screens.tsx'), 'ConfirmAddressScreen'),
});

const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: lazyScreen(() => import('../features/accounts/mail-link-screens.tsx'), 'UnsubscribeScreen'),
});

const unsubscribeReport = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe-report',
  component: lazyScreen(
    () => import('../features/accounts/mail-link-screens.tsx'),
    'UnsubscribeReportScreen',
  ),
});

const sso = createRoute({
  getParentRoute: () => root,
  path: '/sso',
  beforeLoad: toHomeWithSession,
  component: lazyScreen(() => import('../features/accounts/sso/sso-screen.tsx'), 'SsoScreen'),
});

const ssoCallback = createRoute({
  getParentRoute: () => root,
  path: '/sso/callback/$uuid',
  component: lazyScreen(
    () => import('../features/accounts/sso/sso-callback-screen.tsx'),
    'SsoCallbackScreen',
  ),
});

/** Parent of all routes behind the login; checks the session first. */
const authenticated = createRoute({
  getParentRoute: () => root,
  id: 'authenticated',
  beforeLoad: async ({ location, preload }) => {
    // An unavailable server does not end the session: the screens report it and show cached data.
    const token = await accessToken().catch(() => (mayHaveSession() ? '' : null));
    if (token !== null) return;
    if (!preload) rememberReturnAddress(location.href);
    throw redirect({ to: '/login' });
  },
  component: lazyScreen(() => import('./layout.tsx'), 'Layout'),
});

const text = z.string().optional().catch(undefined);
const uuidSearch = z.object({ uuid: entityId });
const date = z.iso.date().optional().catch(undefined);
const rangeSearch = z.object({ from: date, to: date });

const inside = () => authenticated;

const campaigns = createRoute({
  getParentRoute: inside,
  path: '/campaigns',
  validateSearch: tableSearch.extend(rangeSearch.shape).extend({
    group: z.enum(['hour', 'day', 'week', 'month', 'year']).optional().catch(undefined),
    depth: z.enum(['campaign', 'adset', 'creative']).optional().catch(undefined),
    open: text,
  }),
  component: lazyScreen(() => import('../features/campaigns/campaigns-screen.tsx'), 'CampaignsScreen'),
});
const campaignCreate = createRoute({
  getParentRoute: inside,
  path: '/campaigns/create',
  validateSearch: z.object({ draft: entityId }),
  component: lazyScreen(() => import('./campaign-form-screens.tsx'), 'CampaignCreate'),
});
const campaignDrafts = createRoute({
  getParentRoute: inside,
  path: '/campaigns/drafts',
  component: lazyScreen(() => import('../features/campaigns/drafts/drafts-screen.tsx'), 'DraftsScreen'),
});
const campaignApprovals = createRoute({
  getParentRoute: inside,
  path: '/campaigns/approvals',
  component: lazyScreen(
    () => import('../features/campaigns/approvals/approvals-screen.tsx'),
    'ApprovalsScreen',
  ),
});
const campaignEdit = createRoute({
  getParentRoute: inside,
  path: '/campaigns/edit',
  validateSearch: uuidSearch,
  component: lazyScreen(() => import('./campaign-form-screens.tsx'), 'CampaignEdit'),
});
const campaignDelivery = createRoute({
  getParentRoute: inside,
  path: '/campaigns/delivery',
  validateSearch: tableSearch
    .extend(uuidSearch.shape)
    .extend(rangeSearch.shape)
    .extend({ tab: text, metric: text }),
  component: lazyScreen(() => import('../features/delivery/delivery-screen.tsx'), 'DeliveryScreen'),
});
const addApp = createRoute({
  getParentRoute: inside,
  path: '/add-app',
  component: lazyScreen(() => import('../features/apps/app-form-screen.tsx'), 'AddAppScreen'),
});
const editApp = createRoute({
  getParentRoute: inside,
  path: '/edit-app',
  validateSearch: uuidSearch,
  component: lazyScreen(() => import('../features/apps/app-form-screen.tsx'), 'EditAppScreen'),
});
const adsetCreate = createRoute({
  getParentRoute: inside,
  path: '/adset',
  validateSearch: z.object({ campaign_uuid: entityId }),
  component: lazyScreen(() => import('./campaign-form-screens.tsx'), 'AdsetCreate'),
});
const adsetEdit = createRoute({
  getParentRoute: inside,
  path: '/adset/edit',
  // A field to begin with, and a number to fill in.
  validateSearch: uuidSearch.extend({
    field: text,
    value: z.number().positive().optional().catch(undefined),
  }),
  component: lazyScreen(() => import('./campaign-form-screens.tsx'), 'AdsetEdit'),
});
const assetTabs = ['apps', 'creative-groups', 'creatives', 'targets', 'audiences', 'tracking-links'] as const;
const assets = createRoute({
  getParentRoute: inside,
  path: '/assets',
  validateSearch: tableSearch
    .extend({ tab: z.enum(assetTabs).optional().catch(undefined) })
    .extend(creativeSearch.shape)
    .extend(rangeSearch.shape),
  component: lazyScreen(() => import('./assets-screen.tsx'), 'AssetsScreen'),
});
const creativeGroups = createRoute({
  getParentRoute: inside,
  path: '/creative-groups',
  validateSearch: tableSearch,
  component: lazyScreen(
    () => import('../features/creative-groups/creative-groups-screen.tsx'),
    'CreativeGroupsScreen',
  ),
});
const creativeGroupEdit = createRoute({
  getParentRoute: inside,
  path: '/creative-groups/edit',
  validateSearch: uuidSearch,
  component: lazyScreen(
    () => import('../features/creative-groups/creative-group-edit-screen.tsx'),
    'CreativeGroupEditScreen',
  ),
});
const creatives = createRoute({
  getParentRoute: inside,
  path: '/creatives',
  validateSearch: tableSearch.extend(creativeSearch.shape).extend(rangeSearch.shape),
  component: lazyScreen(() => import('./creative-screens.tsx'), 'Creatives'),
});
const addCreative = createRoute({
  getParentRoute: inside,
  path: '/creatives/add-creative',
  validateSearch: creativeSearch,
  component: lazyScreen(() => import('./creative-screens.tsx'), 'AddCreative'),
});
const finances = createRoute({
  getParentRoute: inside,
  path: '/finances',
  validateSearch: z.object({
    page: z.number().int().min(1).optional().catch(undefined),
    status: z.enum(['success', 'pending', 'declined']).optional().catch(undefined),
    view: z.enum(['day', 'campaign', 'reconcile', 'invoices']).optional().catch(undefined),
    ...rangeSearch.shape,
  }),
  component: lazyScreen(() => import('../features/finances/finances-screen.tsx'), 'FinancesScreen'),
});
const profile = createRoute({
  getParentRoute: inside,
  path: '/profile',
  validateSearch: profileSearch,
  component: lazyScreen(() => import('../features/accounts/profile-screen.tsx'), 'ProfileScreen'),
});
const alerts = createRoute({
  getParentRoute: inside,
  path: '/alerts',
  component: lazyScreen(() => import('../features/alerts/alerts-screen.tsx'), 'AlertsScreen'),
});
const companies = createRoute({
  getParentRoute: inside,
  path: '/companies',
  component: lazyScreen(() => import('../features/company-overview/companies-screen.tsx'), 'CompaniesScreen'),
});
const reports = createRoute({
  getParentRoute: inside,
  path: '/reports',
  validateSearch: tableSearch.extend(rangeSearch.shape).extend(reportSearch.shape),
  component: lazyScreen(() => import('../features/reports/reports-screen.tsx'), 'ReportsScreen'),
});
const cohorts = createRoute({
  getParentRoute: inside,
  path: '/reports/cohorts',
  validateSearch: rangeSearch.extend(cohortSearch.shape),
  component: lazyScreen(() => import('../features/reports/cohorts/cohorts-screen.tsx'), 'CohortsScreen'),
});
const skadnetwork = createRoute({
  getParentRoute: inside,
  path: '/reports/skadnetwork',
  validateSearch: rangeSearch.extend(skadnetworkSearch.shape),
  component: lazyScreen(
    () => import('../features/reports/skadnetwork/skadnetwork-screen.tsx'),
    'SkadnetworkScreen',
  ),
});
const scheduledReports = createRoute({
  getParentRoute: inside,
  path: '/reports/scheduled',
  // For the way back to the report.
  validateSearch: rangeSearch.extend(reportSearch.pick({ campaign_uuid: true }).shape),
  component: lazyScreen(
    () => import('../features/reports/scheduled/scheduled-screen.tsx'),
    'ScheduledScreen',
  ),
});
const targets = createRoute({
  getParentRoute: inside,
  path: '/targets',
  validateSearch: tableSearch,
  component: lazyScreen(() => import('../features/targets/targets-screen.tsx'), 'TargetsScreen'),
});
const targetEdit = createRoute({
  getParentRoute: inside,
  path: '/targets/edit',
  // A list to begin with, and an entry to add to it.
  validateSearch: uuidSearch.extend({ field: text, value: text }),
  component: lazyScreen(() => import('../features/targets/target-edit-screen.tsx'), 'TargetEditScreen'),
});
const trackingLinks = createRoute({
  getParentRoute: inside,
  path: '/tracking-links',
  validateSearch: tableSearch,
  component: lazyScreen(
    () => import('../features/tracking-links/tracking-links-screen.tsx'),
    'TrackingLinksScreen',
  ),
});
const trackingLinkEdit = createRoute({
  getParentRoute: inside,
  path: '/tracking-links/edit',
  validateSearch: uuidSearch,
  component: lazyScreen(
    () => import('../features/tracking-links/tracking-link-edit-screen.tsx'),
    'TrackingLinkEditScreen',
  ),
});
const changes = createRoute({
  getParentRoute: inside,
  path: '/changes',
  validateSearch: z.object({ page: z.number().int().min(1).optional().catch(undefined) }),
  component: lazyScreen(() => import('../features/changes/changes-screen.tsx'), 'ChangesScreen'),
});

const routeTree = root.addChildren([
  home,
  ...operatorRoutes(root),
  login,
  registration,
  view,
  passwordReset,
  invitation,
  confirmAddress,
  unsubscribe,
  unsubscribeReport,
  sso,
  ssoCallback,
  authenticated.addChildren([
    campaigns,
    campaignCreate,
    campaignDrafts,
    campaignApprovals,
    campaignEdit,
    campaignDelivery,
    addApp,
    editApp,
    adsetCreate,
    adsetEdit,
    assets,
    creativeGroups,
    creativeGroupEdit,
    creatives,
    addCreative,
    finances,
    profile,
    alerts,
    companies,
    reports,
    cohorts,
    skadnetwork,
    scheduledReports,
    targets,
    targetEdit,
    trackingLinks,
    trackingLinkEdit,
    changes,
  ]),
]);

/** Router of all paths of the console. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultErrorComponent: RouteErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  scrollRestoration: true,
});
stayWhileAway(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

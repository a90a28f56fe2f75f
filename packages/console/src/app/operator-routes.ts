import { Mmp } from '@bidwell/contract/apps/fields';
import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { rememberReturnAddress } from '../lib/api/return-address.ts';
import { entityId } from '../lib/entity-id.ts';
import { lazyScreen, routeCode } from './loading/lazy-screen.tsx';
import { tableSearch } from './table-search-schema.ts';

const pageNumber = z.number().int().min(1).optional().catch(undefined);
const page = z.object({ page: pageNumber });
const companyList = z.object({
  page: pageNumber,
  // A search for digits alone is read from the URL as a number.
  q: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
  status: z.enum(['active', 'suspended']).optional().catch(undefined),
  sort: z
    .string()
    .regex(/^-?(?:name|balance|credit_limit|spend_today|spend_7_days|spend_30_days|created_at)$/)
    .optional()
    .catch(undefined),
});
const companyPage = z.object({ page: pageNumber, acts: pageNumber });
const month = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
});
const days = z.object({ days: z.literal([7, 30, 90]).optional().catch(undefined) });
const exchangeTab = z.object({
  tab: z.string().optional().catch(undefined),
  minutes: z.literal([60, 360, 1440]).optional().catch(undefined),
  until: z.iso.datetime().optional().catch(undefined),
});

const appSearch = z.object({
  // A search for digits alone is read from the URL as a number.
  q: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
});

const partnerSearch = z.object({ mmp: Mmp.optional().catch(undefined) });
const text = z.string().max(50).optional().catch(undefined);
const reviewSearch = z.object({ kind: text, company: entityId, item: text });

/** The routes of the operator console below the router's root. Their code is loaded when one is opened. */
export function operatorRoutes<Root extends AnyRoute>(root: Root) {
  const login = createRoute({
    getParentRoute: () => root,
    path: '/operator/login',
    component: lazyScreen(
      () => import('../features/operator-accounts/operator-login-screen.tsx'),
      'OperatorLoginScreen',
    ),
  });
  const area = createRoute({
    getParentRoute: () => root,
    path: '/operator',
    beforeLoad: async ({ location, preload }) => {
      const { mayOpenOperatorConsole } = await routeCode(() => import('./operator-area.ts'));
      if (await mayOpenOperatorConsole()) return;
      if (!preload) rememberReturnAddress(location.href);
      throw redirect({ to: '/operator/login' as string });
    },
    component: lazyScreen(() => import('./operator-layout.tsx'), 'OperatorLayout'),
  });
  const inside = () => area;
  const home = createRoute({
    getParentRoute: inside,
    path: '/',
    beforeLoad: async () => {
      const { operatorHome } = await routeCode(() => import('./operator-area.ts'));
      throw redirect({ to: operatorHome() });
    },
  });
  const review = createRoute({
    getParentRoute: inside,
    path: '/review',
    validateSearch: reviewSearch,
    component: lazyScreen(() => import('../features/operator-review/review-screen.tsx'), 'ReviewScreen'),
  });
  const operators = createRoute({
    getParentRoute: inside,
    path: '/operators',
    validateSearch: tableSearch,
    component: lazyScreen(
      () => import('../features/operator-accounts/operators-screen.tsx'),
      'OperatorsScreen',
    ),
  });
  const log = createRoute({
    getParentRoute: inside,
    path: '/log',
    validateSearch: page,
    component: lazyScreen(
      () => import('../features/operator-accounts/audit-log-screen.tsx'),
      'AuditLogScreen',
    ),
  });
  const health = createRoute({
    getParentRoute: inside,
    path: '/health',
    component: lazyScreen(() => import('../features/operator-health/health-screen.tsx'), 'HealthScreen'),
  });
  const account = createRoute({
    getParentRoute: inside,
    path: '/account',
    component: lazyScreen(
      () => import('../features/operator-accounts/own-account-screen.tsx'),
      'OwnAccountScreen',
    ),
  });
  const brand = createRoute({
    getParentRoute: inside,
    path: '/brand',
    component: lazyScreen(() => import('../features/operator-brand/brand-screen.tsx'), 'BrandScreen'),
  });
  const screens = [
    home,
    review,
    health,
    ...companyRoutes(inside),
    ...exchangeRoutes(inside),
    brand,
    operators,
    log,
    account,
  ];
  return [login, area.addChildren(screens)] as const;
}

/** Companies, their statements, and money. */
function companyRoutes<Parent extends AnyRoute>(inside: () => Parent) {
  const companies = createRoute({
    getParentRoute: inside,
    path: '/companies',
    validateSearch: companyList,
    component: lazyScreen(
      () => import('../features/operator-companies/companies-screen.tsx'),
      'CompaniesScreen',
    ),
  });
  const company = createRoute({
    getParentRoute: inside,
    path: '/companies/$uuid',
    validateSearch: companyPage,
    component: lazyScreen(() => import('../features/operator-companies/company-screen.tsx'), 'CompanyScreen'),
  });
  const statement = createRoute({
    getParentRoute: inside,
    path: '/companies/$uuid/statement',
    validateSearch: month,
    component: lazyScreen(
      () => import('../features/operator-companies/statement-screen.tsx'),
      'StatementScreen',
    ),
  });
  const money = createRoute({
    getParentRoute: inside,
    path: '/money',
    validateSearch: days,
    component: lazyScreen(() => import('../features/operator-money/money-screen.tsx'), 'MoneyScreen'),
  });
  return [companies, company, statement, money] as const;
}

/** Exchanges, the ad networks that bids with them are signed for, and measurement partners. */
function exchangeRoutes<Parent extends AnyRoute>(inside: () => Parent) {
  const exchanges = createRoute({
    getParentRoute: inside,
    path: '/exchanges',
    validateSearch: tableSearch,
    component: lazyScreen(
      () => import('../features/operator-exchanges/exchanges-screen.tsx'),
      'ExchangesScreen',
    ),
  });
  const exchange = createRoute({
    getParentRoute: inside,
    path: '/exchanges/$slug',
    validateSearch: exchangeTab,
    component: lazyScreen(
      () => import('../features/operator-exchanges/exchange-screen.tsx'),
      'ExchangeScreen',
    ),
  });
  const skadnetwork = createRoute({
    getParentRoute: inside,
    path: '/skadnetwork',
    validateSearch: appSearch,
    component: lazyScreen(
      () => import('../features/operator-skadnetwork/skadnetwork-screen.tsx'),
      'SkadnetworkScreen',
    ),
  });
  const partners = createRoute({
    getParentRoute: inside,
    path: '/partners',
    validateSearch: partnerSearch,
    component: lazyScreen(
      () => import('../features/operator-partners/partners-screen.tsx'),
      'PartnersScreen',
    ),
  });
  return [exchanges, exchange, skadnetwork, partners] as const;
}

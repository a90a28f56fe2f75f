import type { AnyRoute } from '@tanstack/react-router';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { rememberReturnAddress } from '../lib/return-address.ts';

const page = z.object({ page: z.number().int().min(1).optional().catch(undefined) });

/** The routes of the operator console below the router's root. Their code is loaded when one is opened. */
export function operatorRoutes<Root extends AnyRoute>(root: Root) {
  const login = createRoute({
    getParentRoute: () => root,
    path: '/operator/login',
    component: lazyRouteComponent(
      () => import('../features/operator-accounts/operator-login-screen.tsx'),
      'OperatorLoginScreen',
    ),
  });
  const area = createRoute({
    getParentRoute: () => root,
    path: '/operator',
    beforeLoad: async ({ location, preload }) => {
      const { mayOpenOperatorConsole } = await import('./operator-area.ts');
      if (await mayOpenOperatorConsole()) return;
      if (!preload) rememberReturnAddress(location.href);
      throw redirect({ to: '/operator/login' as string });
    },
    component: lazyRouteComponent(() => import('./operator-layout.tsx'), 'OperatorLayout'),
  });
  const inside = () => area;
  const home = createRoute({
    getParentRoute: inside,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/operator/log' as string });
    },
  });
  const operators = createRoute({
    getParentRoute: inside,
    path: '/operators',
    component: lazyRouteComponent(
      () => import('../features/operator-accounts/operators-screen.tsx'),
      'OperatorsScreen',
    ),
  });
  const log = createRoute({
    getParentRoute: inside,
    path: '/log',
    validateSearch: page,
    component: lazyRouteComponent(
      () => import('../features/operator-accounts/acts-screen.tsx'),
      'ActsScreen',
    ),
  });
  const health = createRoute({
    getParentRoute: inside,
    path: '/health',
    component: lazyRouteComponent(
      () => import('../features/operator-health/health-screen.tsx'),
      'HealthScreen',
    ),
  });
  return [login, area.addChildren([home, health, operators, log])] as const;
}

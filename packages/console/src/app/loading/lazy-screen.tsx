import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, createElement, use, useEffect } from 'react';
import {
  type CodeFailure,
  isServerAway,
  loadPatiently,
  onCodeState,
  reloadForRelease,
  waitForScreen,
} from '../../lib/load-code.ts';
import { PageLoader } from '../../ui/layout/page-loader.tsx';

/** A component of a route, and how its code is loaded ahead of time. */
export interface Screen {
  (): ReactNode;
  preload: () => Promise<void>;
  /** Why the code is not here, once that is known for certain. */
  failure: () => Promise<CodeFailure | undefined>;
}

/**
 * The component of a route, whose code is loaded when the route is opened. It waits for a server that cannot be reached, and
 * reloads the page where the server has another release.
 */
export function lazyScreen<Module>(load: () => Promise<Module>, name: keyof Module): Screen {
  let loading: ReturnType<typeof loadPatiently<Module>> | undefined;
  const begin = () => (loading ??= loadPatiently(load));
  function LazyScreen() {
    const { code, failure } = use(begin());
    if (failure) return <OtherRelease />;
    return createElement(code[name] as ComponentType);
  }
  return Object.assign(LazyScreen, {
    preload: async () => void (await begin()),
    failure: async () => (await begin()).failure,
  });
}

function OtherRelease() {
  useEffect(() => void reloadForRelease(), []);
  return <PageLoader />;
}

/** Shown while a route loads. */
export function PendingScreen() {
  useEffect(waitForScreen, []);
  return <PageLoader />;
}

/** Waits for the code of the screens at a path; whether the server has another release of it. */
async function isOutdatedAt(router: AnyRouter, path: string): Promise<boolean> {
  const [routes] = router.getMatchedRoutes(path) as readonly [readonly AnyRoute[], ...unknown[]];
  const failures = routes.map(async ({ options }) =>
    (options.component as Partial<Screen> | undefined)?.failure?.(),
  );
  return (await Promise.all(failures)).includes('outdated');
}

/**
 * Keeps the current screen while the server cannot be reached and the next screen's code is not loaded. The navigation
 * continues once it is, unless another one began meanwhile. Other navigations are not delayed: the router does them at once.
 */
export function stayWhileAway(router: AnyRouter): void {
  let unblock: (() => void) | undefined;
  let latest = 0;
  const update = () => {
    if (isServerAway()) unblock ??= router.history.block({ enableBeforeUnload: false, blockerFn: hold });
    else {
      unblock?.();
      unblock = undefined;
    }
  };
  const hold = async ({ nextLocation }: { nextLocation: { pathname: string; href: string } }) => {
    latest += 1;
    const own = latest;
    const end = waitForScreen();
    try {
      const isOutdated = await isOutdatedAt(router, nextLocation.pathname);
      return own !== latest || (isOutdated && reloadForRelease(nextLocation.href));
    } finally {
      end();
    }
  };
  onCodeState(update);
  update();
}

/** Code that a route needs before it loads, under the conditions of {@link lazyScreen}. */
export async function routeCode<Module>(load: () => Promise<Module>): Promise<Module> {
  const { code, failure } = await loadPatiently(load);
  if (!failure) return code;
  reloadForRelease();
  // The page is on its way out.
  return new Promise(() => {});
}

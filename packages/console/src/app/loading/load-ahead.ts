import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import { isServerAway } from '../../lib/load-code.ts';
import type { Screen } from './lazy-screen.tsx';

/** How long a page has been open before it loads the code of other screens. */
const AHEAD_AFTER_MS = 10_000;
/** Between the screens, for whatever the person does meanwhile. */
const PAUSE_MS = 300;

/**
 * Loads the code of the screens of some routes one after another while the browser is idle, unless the person saves data or the
 * server is away. Returns a function that ends it.
 */
export function loadScreensAhead(router: AnyRouter, isMeant: (route: AnyRoute) => boolean): () => void {
  const routes = Object.values(router.routesById as Record<string, AnyRoute>).filter(isMeant);
  let timer = setTimeout(next, AHEAD_AFTER_MS);
  function next(): void {
    const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
    if (connection?.saveData || connection?.effectiveType?.endsWith('2g') || isServerAway()) return;
    const screen = routes.shift()?.options.component as Partial<Screen> | undefined;
    if (!screen?.preload) return;
    whenIdle(() => {
      void screen.preload?.().then(() => {
        timer = setTimeout(next, PAUSE_MS);
      });
    });
  }
  return () => {
    routes.length = 0;
    clearTimeout(timer);
  };
}

/** Safari has no requestIdleCallback. */
const whenIdle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, 1);

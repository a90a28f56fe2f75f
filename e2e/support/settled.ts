import { type Page, type Request, expect } from '@playwright/test';
import { setTimeout as pass } from 'node:timers/promises';

/** Time without a request after which a page has loaded, in milliseconds; Playwright's `networkidle` takes 500. */
const QUIET_MS = 120;
const WAIT_MAX_MS = 120_000;

interface Traffic {
  open: Set<Request>;
  lastAt: number;
}

const watched = new WeakMap<Page, Traffic>();

/** Begins to watch the page's requests, for {@link settled}. Called again, it changes nothing. */
export function watchRequests(page: Page): Traffic {
  const known = watched.get(page);
  if (known) return known;
  const traffic: Traffic = { open: new Set(), lastAt: Date.now() };
  watched.set(page, traffic);
  page.on('request', (request) => {
    // Requests of a document that is left do not end.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) traffic.open.clear();
    traffic.open.add(request);
    traffic.lastAt = Date.now();
  });
  const end = (request: Request) => {
    traffic.open.delete(request);
    traffic.lastAt = Date.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return traffic;
}

/** Waits until the page sends no request, has nothing left to do and shows no placeholder. */
export async function settled(page: Page): Promise<void> {
  const traffic = watchRequests(page);
  const until = Date.now() + WAIT_MAX_MS;
  const isQuiet = () => traffic.open.size === 0 && Date.now() - traffic.lastAt >= QUIET_MS;
  do {
    while (!isQuiet()) {
      if (Date.now() > until)
        throw new Error(`Still open: ${[...traffic.open].map((request) => request.url()).join(', ')}`);
      await pass(QUIET_MS / 4);
    }
    // A page that is still at work on what it received may send its next request later.
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    // What comes in the place of one may send requests.
    await expect(page.locator('.mantine-Skeleton-root, [role="status"][aria-label="Loading"]')).toHaveCount(
      0,
    );
  } while (!isQuiet());
}

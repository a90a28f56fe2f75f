import type { Page } from '@playwright/test';

/**
 * Lets the pages that open from now on repeat a failed call at once. The console waits a second before the first time and
 * two before the second, which a test of what the screens say need not wait for.
 */
export async function retryAtOnce(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const waits = [1000, 2000];
    const original = globalThis.setTimeout;
    const quick = (handler: TimerHandler, delay?: number, ...given: unknown[]) =>
      original(handler, delay !== undefined && waits.includes(delay) ? 0 : delay, ...given);
    globalThis.setTimeout = quick as typeof setTimeout;
  });
}

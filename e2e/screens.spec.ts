import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { dialogs, logInOnPage, demoCompany, visit } from './support/screens.ts';
import { test as base } from './support/server.ts';

/** The tests share one company, which they do not change. */
const test = base.extend<object, { demo: Awaited<ReturnType<typeof demoCompany>> }>({
  demo: [async ({ server }, use) => use(await demoCompany(server)), { scope: 'worker', timeout: 180_000 }],
});

/** Collects errors that a user does not see: errors on the browser's console, exceptions and failed requests. */
function watch(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()} says ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()} throws ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${page.url()}: ${response.status()} of ${response.url()}`);
  });
  return faults;
}

async function seriousFaults(page: Page): Promise<string[]> {
  // Legacy mode opens no extra page to combine results, and details of passed checks are left out: half of the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(', ')}`,
    );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is sound for everyone in ${colorScheme}, without an error`, async ({
    page,
    server,
    demo,
  }) => {
    test.setTimeout(600_000);
    const { user, screens } = demo;
    await page.emulateMedia({ colorScheme });
    const faults = watch(page);
    for (const path of ['/login', '/registration']) {
      await visit(page, server, { name: path, path });
      expect.soft([path, await seriousFaults(page)]).toEqual([path, []]);
    }
    await logInOnPage(page, server, user);
    for (const screen of screens) {
      await visit(page, server, screen);
      expect.soft([screen.name, await seriousFaults(page)]).toEqual([screen.name, []]);
    }
    expect(faults).toEqual([]);
  });

  test(`every dialog is sound for everyone in ${colorScheme}, without an error`, async ({
    page,
    server,
    demo,
  }) => {
    test.setTimeout(600_000);
    const { user } = demo;
    await page.emulateMedia({ colorScheme });
    const faults = watch(page);
    await logInOnPage(page, server, user);
    for (const dialog of dialogs) {
      await visit(page, server, dialog);
      await dialog.open(page);
      expect.soft([dialog.name, await seriousFaults(page)]).toEqual([dialog.name, []]);
    }
    expect(faults).toEqual([]);
  });
}

test('no screen scrolls sideways on a phone, a tablet and a desk', async ({ page, server, demo }) => {
  test.setTimeout(600_000);
  const { user, screens } = demo;
  await logInOnPage(page, server, user);
  for (const screen of screens) {
    await visit(page, server, screen);
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // Layout changes take a frame or two.
      await expect
        .soft(page.locator('html'), `${screen.name} at ${width}`)
        .toHaveJSProperty('scrollWidth', width, { timeout: 3000 });
    }
  }
});

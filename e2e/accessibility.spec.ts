import { type Page, expect } from '@playwright/test';
import { seriousViolations } from './support/accessibility.ts';
import { logInAsOperator } from './support/operator.ts';
import { test } from './support/test.ts';
import {
  closeDialog,
  dialogs,
  openDialog,
  operatorDialogs,
  operatorScreens,
  publicScreens,
  visit,
} from './support/screens.ts';
import { signIn } from './support/session.ts';

/** The screen of an address that leads nowhere, which the server answers with 404. */
const NOWHERE = /\/no\/such\/page$/;

/** Collects errors that a user does not see: errors on the browser's console, exceptions and failed requests. */
function watch(page: Page): string[] {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !NOWHERE.test(message.location().url))
      violations.push(`${page.url()} says ${message.text()}`);
  });
  page.on('pageerror', (error) => violations.push(`${page.url()} throws ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && !NOWHERE.test(response.url()))
      violations.push(`${page.url()}: ${response.status()} of ${response.url()}`);
  });
  return violations;
}

/** Checks that the page does not scroll sideways on a phone, a tablet and a desktop computer. */
async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // Layout changes take a frame or two.
    await expect.soft(page.locator('html'), `${name} at ${width}`).toHaveJSProperty('scrollWidth', width);
  }
}

/** Checks that no table is wider than its place, with the columns that it has by default. */
async function expectTablesToFit(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  const wide = () =>
    page.getByRole('table').evaluateAll((tables) =>
      tables
        .filter(
          // Tables of charts are for screen readers only, one pixel wide.
          ({ parentElement: place }) => place!.clientWidth > 1 && place!.scrollWidth > place!.clientWidth,
        )
        .map((table) => table.getAttribute('aria-label')),
    );
  await expect.poll(wide, `${name} at ${width}`).toEqual([]);
}

test('the screens before the login are accessible in light and dark, without an error @journey', async ({
  page,
  server,
}) => {
  const violations = watch(page);
  for (const screen of publicScreens)
    await test.step(screen.name, async () => {
      await visit(page, server, screen);
      expect.soft([screen.name, await seriousViolations(page, ['light', 'dark'])]).toEqual([screen.name, []]);
      await expectNoSidewaysScroll(page, screen.name);
    });
  expect(violations).toEqual([]);
});

/** The screens in parts of about the same length, by their names: the parts run in parallel. */
const parts = [
  ['of campaigns, ad sets and apps', /^(campaign|adset|app)/],
  ['of assets and creatives', /^(assets|creative)/],
  ['of everything else', /^(?!campaign|adset|app|assets|creative)/],
] as const;

for (const [part, names] of parts) {
  test(`the screens ${part} open, are accessible in light and dark and fit every width, without an error`, async ({
    page,
    server,
    demo,
  }) => {
    const violations = watch(page);
    await signIn(page, server, demo);
    for (const screen of demo.screens.filter(({ name }) => names.test(name)))
      await test.step(screen.name, async () => {
        await visit(page, server, screen);
        await expect(page).not.toHaveURL(/\/login/);
        expect.soft([screen.name, await seriousViolations(page)]).toEqual([screen.name, []]);
        await expectNoSidewaysScroll(page, screen.name);
        await expectTablesToFit(page, screen.name, 1440);
      });
    expect(violations).toEqual([]);
  });
}

/** Screens of operators whose tables fit a phone. */
const FOLDING = /^operator-(?:companies|exchanges|exchange-prices|operators|health)$/;

test('the screens of operators open, are accessible in light and dark and fit every width, without an error', async ({
  page,
  server,
  demo: _companyAndExchange,
}) => {
  await logInAsOperator(page, server);
  const violations = watch(page);
  for (const screen of await operatorScreens(server))
    await test.step(screen.name, async () => {
      await visit(page, server, screen);
      await expect(page).not.toHaveURL(/\/login/);
      expect.soft([screen.name, await seriousViolations(page)]).toEqual([screen.name, []]);
      await expectNoSidewaysScroll(page, screen.name);
      // On a phone their rows are cards.
      if (FOLDING.test(screen.name)) await expectTablesToFit(page, screen.name, 390);
      await expectTablesToFit(page, screen.name, 1440);
    });
  for (const dialog of await operatorDialogs(server))
    await test.step(dialog.name, async () => {
      await visit(page, server, dialog);
      await openDialog(page, dialog);
      expect.soft([dialog.name, await seriousViolations(page)]).toEqual([dialog.name, []]);
    });
  expect(violations).toEqual([]);
});

const middle = Math.ceil(dialogs.length / 2);
for (const [part, list] of [
  ['first', dialogs.slice(0, middle)],
  ['other', dialogs.slice(middle)],
] as const) {
  test(`the ${part} half of the dialogs is accessible in light and dark, without an error`, async ({
    page,
    server,
    demo,
  }) => {
    const violations = watch(page);
    await signIn(page, server, demo);
    for (const [index, dialog] of list.entries())
      await test.step(dialog.name, async () => {
        // Dialogs of the same screen need it loaded once only.
        if (list[index - 1]?.path === dialog.path) await closeDialog(page);
        else await visit(page, server, dialog);
        await openDialog(page, dialog);
        expect.soft([dialog.name, await seriousViolations(page)]).toEqual([dialog.name, []]);
      });
    expect(violations).toEqual([]);
  });
}

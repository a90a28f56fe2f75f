/**
 * npm run screenshots [-- NAME …]: takes screenshots of every screen and dialog of the demo, and of the operator console, light
 * and dark, 1440 and 390 px wide, in .cache/screenshots. Prints errors of the browser, and exits with 1 if there were any.
 */
import { logIn } from '@bidwell/exchange/demo/api';
import { DEMO_USER } from '@bidwell/exchange/demo/company';
import { type Page, chromium, expect } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { logInAsOperator } from './support/operator.ts';
import {
  type Dialog,
  type Screen,
  type Section,
  dialogs,
  openDialog,
  operatorDialogs,
  operatorScreens,
  publicScreens,
  screensOf,
  sectionsOf,
  visit,
  visitSection,
} from './support/screens.ts';
import { startServer } from './support/server.ts';
import { logInOnPage } from './support/session.ts';

const folder = fileURLToPath(new URL('../.cache/screenshots', import.meta.url));
const requested = process.argv.slice(2);
const isRequested = (name: string) => requested.length === 0 || requested.some((part) => name.includes(part));
/** Time for the demo's exchange to fill the charts. */
const TRAFFIC_MS = 40_000;
const LOADED_WITHIN_MS = 30_000;

const complaints: string[] = [];
const { server, stop } = await startServer('demo');
const browser = await chromium.launch({
  ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await new Promise((filled) => setTimeout(filled, TRAFFIC_MS));
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on(
    'console',
    (message) => message.type() === 'error' && complaints.push(`${page.url()}: ${message.text()}`),
  );
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  const { api } = await logIn(server.url, DEMO_USER);
  const screens = [...(await screensOf(api)), ...(await sectionsOf(api))];
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [1440, 390].map((width) => ({ colorScheme, width })),
  );
  for (const look of looks) await photograph(page, publicScreens, [], look);
  await logInOnPage(page, server, DEMO_USER);
  for (const look of looks) await photograph(page, screens, dialogs, look);
  await page.context().clearCookies();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await logInAsOperator(page, server);
  const [inside, opened] = await Promise.all([operatorScreens(server), operatorDialogs(server)]);
  for (const look of looks) await photograph(page, inside, opened, look);
} finally {
  await browser.close();
  await stop();
}
for (const complaint of new Set(complaints)) console.error(complaint);
console.log(`Pictures are in ${folder}`);
process.exitCode = complaints.length > 0 ? 1 : 0;

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** Sets the page's colour scheme and width; returns a function that takes a screenshot. */
async function dress(page: Page, { colorScheme, width }: Look): Promise<(name: string) => Promise<Buffer>> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  const into = join(folder, `${colorScheme}-${width}`);
  await mkdir(into, { recursive: true });
  return async (name) => {
    // Charts and figures load after the screen.
    await expect(page.locator('[data-skeleton]')).toHaveCount(0, { timeout: LOADED_WITHIN_MS });
    return page.screenshot({ path: join(into, `${name}.png`) });
  };
}

async function photograph(
  page: Page,
  screens: readonly (Screen | Section)[],
  opened: readonly Dialog[],
  look: Look,
): Promise<void> {
  const shoot = await dress(page, look);
  for (const screen of screens.filter(({ name }) => isRequested(name))) {
    await ('part' in screen ? visitSection(page, server, screen) : visit(page, server, screen));
    try {
      await shoot(screen.name);
    } catch (error) {
      complaints.push(`${screen.name} at ${look.width}: ${String(error).split('\n')[0]}`);
    }
  }
  for (const dialog of opened.filter(({ name }) => isRequested(name))) {
    await visit(page, server, dialog);
    try {
      await openDialog(page, dialog);
      await shoot(dialog.name);
    } catch (error) {
      complaints.push(`${dialog.name} at ${look.width}: ${String(error).split('\n')[0]}`);
    }
  }
}

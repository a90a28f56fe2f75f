/**
 * npm run screenshots [-- NAME …]: pictures of every screen and dialog of the demo, light and dark, 1440 and 390 px wide,
 * in .cache/screenshots. Says what the browser complained of, and ends with 1 when it did.
 */
import type { Browser, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { dialogs, logInOnPage, prepareScreens, visit } from './support/screens.ts';
import type { Server } from './support/server.ts';
import { startServer } from './support/server.ts';

const folder = fileURLToPath(new URL('../.cache/screenshots', import.meta.url));
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
/** The demo's exchange fills the charts meanwhile. */
const TRAFFIC_MS = 40_000;

const complaints: string[] = [];
const { server, stop } = await startServer('demo');
const browser = await chromium.launch({
  ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await new Promise((filled) => setTimeout(filled, TRAFFIC_MS));
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) await photograph(server, browser, colorScheme, width);
} finally {
  await browser.close();
  await stop();
}
for (const complaint of new Set(complaints)) console.error(complaint);
console.log(`Pictures are in ${folder}`);
process.exitCode = complaints.length > 0 ? 1 : 0;

async function photograph(
  shown: Server,
  chrome: Browser,
  colorScheme: 'light' | 'dark',
  width: number,
): Promise<void> {
  const page = await chrome.newPage({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  page.on(
    'console',
    (message) => message.type() === 'error' && complaints.push(`${page.url()}: ${message.text()}`),
  );
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  const into = join(folder, `${colorScheme}-${width}`);
  await mkdir(into, { recursive: true });
  const shoot = (name: string, target: Page = page) => target.screenshot({ path: join(into, `${name}.png`) });

  for (const name of ['login', 'registration'])
    if (isWanted(name)) {
      await visit(page, shown, { name, path: `/${name}` });
      await shoot(name);
    }
  await logInOnPage(page, shown);
  for (const screen of await prepareScreens(shown))
    if (isWanted(screen.name)) {
      await visit(page, shown, screen);
      await shoot(screen.name);
    }
  for (const dialog of dialogs)
    if (isWanted(dialog.name)) {
      await visit(page, shown, dialog);
      const opened = await dialog.open(page).then(
        () => true,
        (error: unknown) =>
          complaints.push(`${dialog.name} at ${width}: ${String(error).split('\n')[0]}`) < 0,
      );
      if (opened) await shoot(dialog.name);
    }
  await page.close();
}

import { type Page, expect } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { readFile } from 'node:fs/promises';

type ColorScheme = 'light' | 'dark';

/** Least width and height of a button. */
const TARGET_PX = 24;

const source = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Both in `npm run test:all`: the second one takes as long as the first, and fails where only a colour is wrong. */
const SCHEMES: readonly ColorScheme[] = process.env['TEST_ALL'] === '1' ? ['light', 'dark'] : ['light'];

/** Rules about colours, the only ones whose result depends on the colour scheme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Serious and critical faults of accessibility on the page in these colour schemes. */
export async function seriousViolations(page: Page, schemes = SCHEMES): Promise<string[]> {
  await injectAxe(page);
  await endTransitions(page);
  const violations: string[] = [];
  // Begins with the scheme that the page has: a change of it is a new layout of the whole page.
  const present = await colorSchemeOf(page);
  const inOrder = schemes.toSorted((one) => (one === present ? -1 : 1));
  for (const [index, colorScheme] of inOrder.entries()) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Figures of the previous selection are dimmed until the new ones arrive.
    await expect(page.locator('[data-stale]')).toHaveCount(0);
    const found = await violationsNow(page, index === 0 ? undefined : colorRules);
    violations.push(...found.map((violation) => `${colorScheme}: ${violation}`));
  }
  return [...violations, ...(await smallButtons(page))];
}

/**
 * The buttons of the page below 24 × 24 pixels (WCAG 2.2, 2.5.8). Axe passes the buttons of a list that has enough space between them
 * by chance, as with a single row.
 */
async function smallButtons(page: Page): Promise<string[]> {
  return page.getByRole('button').evaluateAll((buttons, least) => {
    const small = buttons.filter((button) => {
      const { width, height } = button.getBoundingClientRect();
      // Elements for screen readers only have one pixel.
      return (
        height > 1 && (Math.round(height) < least || Math.round(width) < least) && button.checkVisibility()
      );
    });
    return [...new Set(small.map((button) => `below ${least} pixels: ${button.outerHTML.slice(0, 160)}`))];
  }, TARGET_PX);
}

/** Evaluates axe in every frame, once per document. A script element would break the content security policy. */
async function injectAxe(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
}

/** Ends all transitions of the page for good: axe would measure colours on their way from one scheme to the other. */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important; }');
    document.adoptedStyleSheets = [sheet];
  });
}

async function colorSchemeOf(page: Page): Promise<ColorScheme> {
  return page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
}

/** Serious and critical violations of the given rules, by default of all. */
async function violationsNow(page: Page, rules?: string[]): Promise<string[]> {
  const options: RunOptions = {
    // Leaving out the details of passed checks saves half of the time.
    resultTypes: ['violations'],
    // WCAG 2.2, 2.5.8: a rule that axe leaves out by default.
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return { violations: (await axe.run(given)).violations };
  }, options);
  return (
    violations
      // A header without a text is a minor fault to axe, but a screen reader then does not name the column.
      .filter(
        ({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'empty-table-header',
      )
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(', ')}`,
      )
  );
}

import { type Locator, type Page, expect } from '@playwright/test';

/** More tab stops than any screen has. */
const STOPS_MAX = 90;

/** Presses Tab, or Shift+Tab, until `wanted` has the focus; checks that each stop is visible and has a name. */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press(key);
    await expectSoundFocus(page);
    if (await hasFocus(wanted)) return;
  }
  throw new Error(`${STOPS_MAX} stops of ${key} do not lead to ${String(wanted)}.`);
}

/** Opens the focused dropdown with an arrow key, moves down to an option and selects it. */
export async function pickOption(page: Page, name: string | RegExp): Promise<void> {
  const option = page.getByRole('option', { name });
  await page.keyboard.press('ArrowDown');
  await expect(option).toBeVisible();
  for (let step = 0; step < 20; step += 1) {
    if ((await option.getAttribute('data-combobox-selected')) === 'true') {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrows do not lead to ${String(name)}.`);
}

/** Checks that the focused element is on the screen, shows its focus, and has a role and a name. */
export async function expectSoundFocus(page: Page): Promise<void> {
  const focused = page.locator(':focus');
  let said = '';
  // A name can come a moment after the focus.
  await expect
    .poll(async () => (said = (await focused.ariaSnapshot()).split('\n')[0]!), 'a role and a name')
    .toMatch(/^- '?\w+ (".+"|\/.+\/)/);
  await expect.poll(() => focused.evaluate(focusError), `the focus can be seen on ${said}`).toBeNull();
}

async function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement);
}

/**
 * Runs in the page. Returns what is wrong with the focus indicator, or null: an outline around the element or its visual
 * substitute or, for a field, a border in the accent or error colour.
 */
function focusError(element: Element): string | null {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return 'is not on the screen';
  const colours = ['--mantine-primary-color-filled', '--mantine-color-error'].map((name) => {
    // A new element for each colour: an element with a style already would begin a transition.
    const probe = document.createElement('i');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  // A radio's circle and a switch's track are next to their inputs; a field with chips encloses its input.
  const nearby: (Element | null | undefined)[] = [element, element.nextElementSibling];
  for (let around = element.parentElement; nearby.length < 5; around = around?.parentElement ?? null)
    nearby.push(around);
  const seen = nearby.some((one) => {
    if (!(one instanceof Element)) return false;
    const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || colours.includes(borderTopColor);
  });
  return seen ? null : 'looks like everything else';
}

import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Opens the drop-down of that label and picks the first option that holds these words. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .first()
    .click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Has the browser solve the captcha of the form. */
export async function solveCaptcha(page: Page): Promise<void> {
  await page.getByLabel('I am not a robot').click();
  await expect(page.getByLabel('Verified')).toBeChecked();
}

/** Fills the text field of exactly that name. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).fill(text);
}

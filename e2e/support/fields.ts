import { type Locator, type Page, expect } from '@playwright/test';

/** The field of a dropdown: a text box if it is searchable, else a combo box. */
export function dropdown(page: Page, label: string): Locator {
  return page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .first();
}

/** Opens a dropdown by its label and selects an option; waits for both to appear. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await dropdown(page, label).click();
  await page.getByRole('listbox').getByRole('option', { name: option }).first().click();
}

/** Fills in the form of a new app without saving it. */
export async function fillApp(page: Page, title: string, bundle: string): Promise<void> {
  const link = page.getByLabel('App store link');
  await link.fill(`https://play.google.com/store/apps/details?id=${bundle}`);
  await link.blur();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
  await choose(page, 'Category', 'Video & Computer Games');
  await choose(page, 'Measurement partner (MMP)', 'AppsFlyer');
}

/** Fills in a new ad set in the campaign's form, with the entities of "Pocket Farm". */
export async function fillAdset(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
  await choose(page, 'Target', 'Everyone');
  await choose(page, 'Tracking link', 'Partner');
  await choose(page, 'Creative groups', 'Spring banners');
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: /Manual CPM/ }).check();
  await page.getByLabel('CPM bid').fill('4');
}

/** Fills in the fields of a new account; an invited person has no field for the address. */
export async function fillPerson(
  page: Page,
  { login, email, password, name }: { login: string; email?: string; password: string; name: string },
): Promise<void> {
  await page.getByLabel('Login').fill(login);
  if (email !== undefined) await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.getByLabel('First name').fill(name);
  await page.getByLabel('Contact').fill(`@${name.toLowerCase()}`);
}

/** Makes the browser solve the form's captcha. */
export async function solveCaptcha(page: Page): Promise<void> {
  await page.getByLabel('I am not a robot').click();
  await expect(page.getByLabel('Verified')).toBeChecked();
}

/** Fills in the text field with exactly this name, which may be an autocomplete field. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  await dropdown(page, name).fill(text);
}

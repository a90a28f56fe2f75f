import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { appStore, freshCompany, makeApp } from '../support/company.ts';
import { errorsOf } from '../support/page-errors.ts';
import type { Server } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

/** An iOS app without conversion values, and the page on which it is edited. */
async function iosApp(page: Page, server: Server) {
  const company = await freshCompany(server);
  const { uuid } = await makeApp(company, 'Puzzle Quest', appStore('525463029'));
  await signIn(page, server, company);
  await page.goto(`${server.url}/edit-app?uuid=${uuid}`);
  return { company, uuid, section: page.getByRole('region', { name: 'Conversion values' }) };
}

test('an app says what its conversion values mean @journey', async ({ page, server }) => {
  const errors = errorsOf(page);
  const { section } = await iosApp(page, server);
  await section.getByRole('button', { name: 'Add values' }).click();
  const first = section.getByRole('group', { name: 'Conversion values 1' });
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(first).toContainText('Enter an event or a range of revenue');
  await expect(first.getByLabel('Event')).toBeFocused();
  await first.getByLabel('Revenue from').fill('1');
  await expect(first).not.toContainText('Enter an event or a range of revenue');
  await first.getByLabel('To', { exact: true }).fill('9');
  await first.getByLabel('Event').fill('purchase');
  await first.getByLabel('Revenue to').fill('4.99');
  await section.getByRole('button', { name: 'Add values' }).click();
  const second = section.getByRole('group', { name: 'Conversion values 2' });
  await expect(second.getByLabel('From', { exact: true })).toHaveValue('10');
  await second.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: 'High' }).click();
  await second.getByRole('combobox', { name: 'Window' }).click();
  await page.getByRole('option', { name: 'Window 1, days 3–7' }).click();
  await second.getByLabel('Event').fill('subscribed');
  expect(await seriousViolations(page)).toEqual([]);
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(page.getByText('Conversion values saved')).toBeVisible();
  await page.reload();
  await expect(first.getByLabel('Event')).toHaveValue('purchase');
  await expect(first.getByLabel('Revenue to')).toHaveValue('$4.99');
  await expect(second.getByRole('combobox', { name: 'Window' })).toHaveValue('Window 1, days 3–7');
  await second.getByRole('button', { name: 'Remove conversion values 2' }).click();
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(page.getByText('Conversion values saved')).toBeVisible();
  await page.reload();
  await expect(first.getByLabel('Event')).toHaveValue('purchase');
  await expect(second).toBeHidden();
  expect(errors).toEqual([]);
});

const rule = (event: string) => ({
  window: 0,
  fine_from: 0,
  fine_to: 9,
  coarse: null,
  event,
  revenue_from: null,
  revenue_to: null,
});

test('conversion values that someone else saved meanwhile are shown, and never replaced unasked', async ({
  page,
  server,
}) => {
  const { company, uuid, section } = await iosApp(page, server);
  const saveElsewhere = (event: string) =>
    company.api.send('PUT', `/app/${uuid}/conversion-values`, { rules: [rule(event)] }, z.object({}).loose());
  const event = section.getByLabel('Event');
  await expect(section.getByRole('button', { name: 'Add values' })).toBeVisible();
  // Without changes of its own the form shows what is saved elsewhere.
  await saveElsewhere('purchase');
  await expect(event).toHaveValue('purchase');

  await event.fill('mine');
  await saveElsewhere('level');
  await expect(section.getByRole('alert')).toContainText('Someone else changed this meanwhile');
  await expect(event).toHaveValue('mine');
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(section.getByRole('alert')).toBeFocused();
  const values = z.object({ rules: z.array(z.object({ event: z.string() })) });
  const saved = async () => (await company.api.get(`/app/${uuid}/conversion-values`, values)).rules[0]?.event;
  expect(await saved()).toBe('level');
  await section.getByRole('button', { name: 'Take saved: Rules' }).click();
  await expect(event).toHaveValue('level');
  await expect(section.getByRole('alert')).toBeHidden();

  await event.fill('mine');
  await saveElsewhere('other');
  await section.getByRole('button', { name: 'Keep yours: Rules' }).click();
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(page.getByText('Conversion values saved')).toBeVisible();
  expect(await saved()).toBe('mine');
  await expect(section.getByRole('alert')).toBeHidden();
});

test('own changes that were saved are no changes of someone else at the next save', async ({
  page,
  server,
}) => {
  const { company, uuid, section } = await iosApp(page, server);
  const values = z.object({ rules: z.array(z.object({ event: z.string() })) });
  const saved = async () => (await company.api.get(`/app/${uuid}/conversion-values`, values)).rules[0]?.event;
  await section.getByRole('button', { name: 'Add values' }).click();
  for (const event of ['trial', 'purchase', 'level']) {
    await section.getByLabel('Event').fill(event);
    await section.getByRole('button', { name: 'Save conversion values' }).click();
    await expect.poll(saved).toBe(event);
    // The form shows what was saved.
    await expect(section.getByRole('button', { name: 'Save conversion values' })).toBeEnabled();
    await expect(section.getByLabel('Event')).toHaveValue(event);
    await expect(section.getByRole('alert')).toBeHidden();
  }
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('saving an app names all of its changes that are not saved with it', async ({ page, server }) => {
  const { section } = await iosApp(page, server);
  await section.getByRole('button', { name: 'Add values' }).click();
  const events = page.getByRole('region', { name: 'In-app events' });
  await events.getByLabel('Count events after a click, days').fill('30');
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(
    page.getByText(
      'App saved. The changes of its in-app events and its conversion values are not saved yet.',
    ),
  ).toBeVisible();
});

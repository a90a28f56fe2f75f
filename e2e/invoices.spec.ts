import { pdfText } from '@bidwell/testing/files/pdf-text';
import { bookPastSpend } from '@bidwell/testing/engines/past-spend';
import { type Page, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { freshCompany, makeAdsetParts, makeCampaign } from './support/company.ts';
import { logInAsOperator } from './support/operator.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

const party = async (page: Page, name: string) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Legal name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Address' }).fill('1 High Street\nDublin');
  await dialog.getByRole('combobox', { name: 'Country', exact: true }).fill('irel');
  await page.getByRole('option', { name: 'Ireland (IE)' }).click();
  await dialog.getByRole('textbox', { name: 'Tax ID' }).fill('IE1234567A');
};

test('a company enters its billing details', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/finances`);
  // It comes above the views, which then move.
  await expect(page.getByText('The balance is empty')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Invoices').click();
  await expect(page).toHaveURL(/view=invoices/);
  await expect(page.getByText('No invoices yet')).toBeVisible();
  await page.getByRole('button', { name: 'Billing details' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Country', exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await party(page, '株式会社');
  await dialog.getByRole('combobox', { name: 'Also show the total in' }).fill('eur');
  await page.getByRole('option', { name: 'Euro (EUR)' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Invoices cannot show these characters: 株 式 会 社.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Legal name' }).fill('Игры GmbH');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Invoices are for Игры GmbH.')).toBeVisible();
});

test('operators say who issues invoices, with tax and rates, and issue none before a month is over', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await logInAsOperator(page, server, 'finance');
  await page.goto(`${server.url}/operator/money`);
  const section = page.getByRole('region', { name: 'Invoices', exact: true });
  await section.getByRole('button', { name: 'Invoice settings' }).click();
  const dialog = page.getByRole('dialog');
  await party(page, 'Seller Ltd');
  await dialog.getByRole('textbox', { name: 'Numbers of invoices begin with' }).fill('BW-');
  await expect(dialog.getByText(/^Such as BW-\d{4}-00001$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByRole('combobox', { name: 'Country of the buyer' }).fill('germany');
  await page.getByRole('option', { name: 'Germany (DE)' }).click();
  await dialog.getByRole('combobox', { name: 'Buyers' }).selectOption('With a tax ID');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a number')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Rate' }).fill('0');
  await dialog.getByRole('textbox', { name: 'Note on the invoice' }).fill('Reverse charge.');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(
    section.getByText(
      'Invoices are from Seller Ltd, with one tax rule. They are issued on the pages of companies.',
    ),
  ).toBeVisible();
  const { settings } = await server.operator<{ settings: { tax_rules: unknown[] } }>(
    'GET',
    '/invoice_settings',
  );
  expect(settings.tax_rules).toEqual([
    { country: 'DE', buyers: 'with_tax_id', label: 'VAT', rate_percent: 0, note: 'Reverse charge.' },
  ]);

  await section.getByRole('button', { name: 'Add a rate' }).click();
  await dialog.getByRole('combobox', { name: 'Currency' }).fill('EUR');
  await page.getByRole('option', { name: 'Euro (EUR)' }).click();
  await dialog.getByRole('textbox', { name: 'For one dollar' }).fill('0.9234');
  await dialog.getByRole('textbox', { name: 'Source' }).fill('Central bank');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const rates = section.getByRole('table', { name: 'Rates for totals of invoices' });
  await expect(rates.getByRole('row', { name: /^EUR/ })).toContainText(/0\.9234.*Central bank/);

  await page.goto(`${server.url}/operator/companies/${company.companyUuid}`);
  const invoices = page.getByRole('region', { name: 'Invoices', exact: true });
  await invoices.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByText('No month of this company is over yet.')).toBeVisible();
});

test('an operator issues the invoice of a month and corrects it; the company sees and downloads both @journey', async ({
  page,
  ownServer,
}) => {
  const { server, folder, halt, resume } = ownServer;
  const company = await freshCompany(server);
  const campaign = await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  const parties = { legal_name: 'Seller Ltd', address: '1 High Street', country: 'IE', tax_id: '' };
  await server.operator('PUT', '/invoice_settings', {
    ...parties,
    payment_text: '',
    invoice_prefix: 'INV',
    credit_note_prefix: 'CN',
    tax_rules: [{ country: null, buyers: 'all', label: 'VAT', rate_percent: 19, note: '' }],
    is_automatic: false,
  });
  const details = { ...parties, legal_name: 'Buyer GmbH', email: null, currency: null };
  await company.api.send('PUT', '/finance/billing_details', details, z.object({}));
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 10, 10));
  await halt();
  await bookPastSpend(folder, {
    companyId: company.companyUuid,
    campaignId: campaign.uuid,
    at,
    micros: 1_234_570_000,
  });
  await resume();
  const month = at.toISOString().slice(0, 7);
  const year = now.getUTCFullYear();
  const [number, note] = [`INV-${year}-00001`, `CN-${year}-00001`];

  await logInAsOperator(page, server, 'finance');
  await page.goto(`${server.url}/operator/companies/${company.companyUuid}`);
  const invoices = page.getByRole('region', { name: 'Invoices', exact: true });
  const dialog = page.getByRole('dialog');
  await invoices.getByRole('button', { name: 'Issue invoice' }).click();
  await dialog.getByRole('combobox', { name: 'Month' }).selectOption(month);
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(page.getByText(`Invoice ${number} issued`)).toBeVisible();
  // Only the month after it is offered, which has no spend: what the server refuses is said in the dialog.
  await invoices.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Month' }).getByRole('option')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByText('There is nothing to invoice for this month.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await invoices.getByRole('button', { name: `Credit note for ${number}` }).click();
  await dialog.getByRole('textbox', { name: 'Amount without tax' }).fill('20');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Wrong campaign');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Issue credit note' }).click();
  await expect(page.getByText(`Credit note ${note} issued`)).toBeVisible();
  await expect(invoices.getByRole('link', { name: `PDF of ${note}` })).toHaveAttribute(
    'href',
    /^\/api\/operator\/invoices\/[\da-f-]{36}\/pdf$/,
  );
  await expect(invoices.getByRole('button', { name: `Credit note for ${note}` })).toHaveCount(0);

  await page.context().clearCookies();
  await signIn(page, server, company);
  await page.goto(`${server.url}/finances?view=invoices`);
  const table = page.getByRole('table', { name: 'Invoices' });
  await expect(table.getByRole('row', { name: new RegExp(`^${number}`) })).toContainText(
    /\$1\s234\.57.*\$234\.57.*\$1\s469\.14/,
  );
  await expect(table.getByRole('row', { name: new RegExp(`^${note}`) })).toContainText(
    new RegExp(`Credit note for ${number}.*-\\$20\\.00.*-\\$3\\.80.*-\\$23\\.80`),
  );
  expect(await seriousViolations(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `PDF of ${number}` }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  expect(pdfText(await readFile(await file.path()))).toEqual(
    expect.arrayContaining(['Buyer GmbH', 'Spring launch', '1,234.57', 'VAT 19%', '234.57', '1,469.14']),
  );
});

import { type Page, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from './support/accessibility.ts';
import { freshCompany } from './support/company.ts';
import { logInAsOperator } from './support/operator.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

const invoice = {
  uuid: '01a2178b-5ef5-705d-ae24-1d809f215ce8',
  kind: 'invoice',
  number: 'INV-2026-00012',
  month: '2026-01',
  issued_at: '2026-02-02T00:30:00.000Z',
  net: 1234.57,
  tax: 234.57,
  total: 1469.14,
  corrects: null,
  credited: 23.8,
};
const note = {
  ...invoice,
  uuid: '01a2178b-5ef5-705d-ae24-1d809f215ce9',
  kind: 'credit_note',
  number: 'CN-2026-00001',
  month: null,
  net: 20,
  tax: 3.8,
  total: 23.8,
  corrects: invoice.number,
  credited: 0,
};
/** Answers the list of invoices: a company of a test has no month that is over. */
const withInvoices = (page: Page, path: string) =>
  page.route(path, (route) => route.fulfill({ json: { data: { invoices: [note, invoice], total: 2 } } }));

const party = async (page: Page, name: string) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Legal name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Address' }).fill('1 High Street\nDublin');
  await dialog.getByRole('combobox', { name: 'Country', exact: true }).fill('irel');
  await page.getByRole('option', { name: 'Ireland (IE)' }).click();
  await dialog.getByRole('textbox', { name: 'Tax ID' }).fill('IE1234567A');
};

test('a company enters its billing details, sees its invoices and credit notes, and downloads them', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/finances`);
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

  await withInvoices(page, '**/finance/invoices?*');
  await page.route('**/finance/invoices/*/pdf', (route) =>
    route.fulfill({ body: '%PDF-1.7', contentType: 'application/pdf' }),
  );
  await page.reload();
  const table = page.getByRole('table', { name: 'Invoices' });
  await expect(table.getByRole('row', { name: /^INV-2026-00012/ })).toContainText(
    /Jan 2026.*\$1\s234\.57.*\$234\.57.*\$1\s469\.14/,
  );
  await expect(table.getByRole('row', { name: /^CN-2026-00001/ })).toContainText(
    /Credit note for INV-2026-00012.*-\$20\.00.*-\$3\.80.*-\$23\.80/,
  );
  expect(await seriousViolations(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF of INV-2026-00012' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('INV-2026-00012.pdf');
  expect(await readFile(await file.path(), 'utf8')).toBe('%PDF-1.7');
});

test('operators say who issues invoices, with tax and rates, and correct them on the page of a company', async ({
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

  await withInvoices(page, '**/companies/*/invoices?*');
  await page.goto(`${server.url}/operator/companies/${company.companyUuid}`);
  const invoices = page.getByRole('region', { name: 'Invoices', exact: true });
  await invoices.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByText('No month of this company is over yet.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(invoices.getByRole('link', { name: 'PDF of INV-2026-00012' })).toHaveAttribute(
    'href',
    `/api/operator/invoices/${invoice.uuid}/pdf`,
  );
  await expect(invoices.getByRole('button', { name: 'Credit note for CN-2026-00001' })).toHaveCount(0);
  let sent: unknown;
  await page.route('**/api/operator/invoices/*/credit_notes', async (route) => {
    sent = route.request().postDataJSON();
    await route.fulfill({ status: 201, json: { data: note } });
  });
  await invoices.getByRole('button', { name: 'Credit note for INV-2026-00012' }).click();
  await dialog.getByRole('textbox', { name: 'Amount without tax' }).fill('20');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Wrong campaign');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Issue credit note' }).click();
  await expect(page.getByText('Credit note CN-2026-00001 issued')).toBeVisible();
  expect(sent).toEqual({ net: 20, reason: 'Wrong campaign' });
});

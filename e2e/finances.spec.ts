import type { TopUpItem } from '@bidwell/contract/operator/schema';
import { type Route, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from './support/accessibility.ts';
import { freshCompany, makeAdsetParts, makeCampaign } from './support/company.ts';
import { signIn } from './support/session.ts';
import { errorsOf } from './support/page-errors.ts';
import { test } from './support/test.ts';

test('the balance is topped up; the statement by day and by campaign follows the range, and is downloaded @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await server.operator('POST', `/companies/${company.companyUuid}/credit`, {
    amount: 250,
    reason: 'Welcome',
  });
  await signIn(page, server, company);
  await page.goto(`${server.url}/finances`);
  await expect(page.getByRole('button', { name: 'Top up' })).toHaveCount(1);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('By day').click();
  const days = page.getByRole('table', { name: 'Movements by day' });
  await expect(days.getByRole('row', { name: /Credit: Welcome/ })).toContainText('$250.00');
  await expect(page.getByRole('group', { name: 'Closing balance' })).toContainText('$250.00');
  expect(await seriousViolations(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^bidwell-statement-.*-day\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(',credit,Welcome,250,250');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('By campaign').click();
  await expect(page.getByText('No spend in these days')).toBeVisible();
  await expect(page).toHaveURL(/view=campaign/);

  await test.step('funds that are asked for are pending until an operator confirms them', async () => {
    await page.goto(`${server.url}/finances`);
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('dialog').getByLabel('Amount').fill('200');
    await page.getByRole('button', { name: 'Send request' }).click();
    const row = page.getByRole('row', { name: /\+\$200\.00/ });
    await expect(row).toContainText('Pending');
    const { top_ups: waiting } = await server.operator<{ top_ups: TopUpItem[] }>('GET', '/top-ups');
    const { uuid } = waiting.find((item) => item.company_uuid === company.companyUuid)!;
    await server.operator('POST', `/top-ups/${uuid}/decision`, { status: 'success' });
    await expect(row).toContainText('Success');
    await expect(page.getByRole('group', { name: 'Balance' })).toContainText('$450.00');
  });
});

test('the balance moves nothing below it once it is loaded', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  const held: Route[] = [];
  await page.route('**/api/internal/finance/balance', (route) => void held.push(route));
  const views = page.getByRole('radiogroup', { name: 'View' });
  for (const [balance, credit_limit, says] of [
    [0, 0, 'The balance is empty: no campaign bids until it is topped up.'],
    [-500, 500, 'The credit limit is reached: no campaign bids until it is topped up.'],
    [12, 500, 'Campaigns spend from the balance, and below zero down to the credit limit of $500.00.'],
  ] as const) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${server.url}/finances`);
      await expect(page.getByRole('button', { name: 'Top up' })).toBeVisible();
      await expect(page.getByText('No transactions yet')).toBeVisible();
      const before = await views.boundingBox();
      for (const route of held.splice(0))
        await route.fulfill({ json: { data: { balance, spent_today: 0, credit_limit } } });
      await expect(page.getByText(says)).toBeVisible();
      expect(await views.boundingBox(), `${says} at ${width}`).toEqual(before);
    }
  }
});

test('the spend of a day is one transaction, which expands to its campaigns', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  const at = '2026-05-04T10:00:00.000Z';
  const spend = {
    uuid: '01a2178b-5ef5-705d-ae24-1d809f215ce8',
    kind: 'spend',
    status: 'success',
    amount: -64.728,
    description: 'Media spend of 2 campaigns',
    created_at: at,
    updated_at: at,
    folded: { date: '2026-05-04', is_month: false, campaigns: 2, hours: 24 },
  };
  const totals = { top_up: 0, credit: 0, debit: 0, spend: -64.728 };
  const campaigns = [
    { uuid: '01a2178b-5ef5-705d-ae24-1d809f215ce9', name: 'Spring launch', spend: 60.004 },
    { uuid: '01a2178b-5ef5-705d-ae24-1d809f215cea', name: 'Autumn launch', spend: 4.724 },
  ];
  const answer = (path: string, data: object) =>
    page.route(path, (route) => route.fulfill({ json: { data } }));
  await answer('**/finance/transactions?*fold=day*', { transactions: [spend], total: 1 });
  await answer('**/finance/statement?start_date=2026-05-04&end_date=2026-05-04', {
    start_date: '2026-05-04',
    end_date: '2026-05-04',
    time_zone: 'UTC',
    open: false,
    opening: 100,
    closing: 35.272,
    totals,
    lines: [],
    campaigns,
  });
  await page.goto(`${server.url}/finances`);
  const row = page.getByRole('table', { name: 'Transactions' }).getByRole('row', { name: /May 04 \/ 2026/ });
  await expect(row).toContainText('-$64.73');
  await row.getByRole('button', { name: 'Expand the spend of May 04 / 2026' }).click();
  const parts = page.getByRole('list', { name: 'Spend by campaign' }).getByRole('listitem');
  // Each rounded for itself, they would be a cent less than the day.
  await expect(parts).toHaveText([/Spring launch.*\$60\.00/, /Autumn launch.*\$4\.73/]);
  expect(await seriousViolations(page)).toEqual([]);
});

test('the chart has a point for each hour of up to three days', async ({ page, server }) => {
  const company = await freshCompany(server);
  await makeCampaign(company, await makeAdsetParts(company), 'Spring');
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns?from=2026-05-04&to=2026-05-05&group=hour`);
  const chart = page.getByRole('table', { name: /over time/ });
  await expect(chart.getByRole('rowheader')).toHaveCount(48);
  await expect(chart.getByRole('rowheader').first()).toHaveText('May 04 00:00');
  await page.goto(`${server.url}/campaigns?from=2026-05-01&to=2026-05-05&group=hour`);
  await expect(chart.getByRole('rowheader')).toHaveCount(5);
  await expect(page.getByRole('radio', { name: 'Hour' })).toBeDisabled();
});

test('spend is reconciled between reports, ledger and log, and a difference is shown', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/finances`);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Reconcile').click();
  await expect(page.getByText('No spend in these days')).toBeVisible();
  // Spend is compared once its hour is over, which a test cannot wait for.
  const respondWith = async (ledger: number) => {
    const amounts = { reports: 12.5, ledger, log: 12.5, charges: 4200, agrees: ledger === 12.5 };
    await page.route('**/finance/reconciliation*', (route) =>
      route.fulfill({
        json: {
          data: {
            time_zone: 'UTC',
            from: '2026-05-04T00:00:00.000Z',
            before: '2026-05-05T00:00:00.000Z',
            days: [{ date: '2026-05-04', ...amounts }],
            total: amounts,
          },
        },
      }),
    );
    await page.reload();
  };
  await respondWith(12.5);
  await expect(page.getByText('Reports, ledger and log agree: $12.50 from 4 200 charges.')).toBeVisible();
  const table = page.getByRole('table', { name: 'Reconciliation by day' });
  await expect(table.getByRole('row', { name: /May 04 \/ 2026/ })).toContainText('Yes');
  expect(await seriousViolations(page)).toEqual([]);
  await page.unroute('**/finance/reconciliation*');
  await respondWith(12);
  await expect(
    page.getByText(/^The amounts differ: \$12\.50 in the reports, \$12\.00 in the ledger/),
  ).toBeVisible();
  await expect(table.getByRole('row', { name: /^Total/ })).toContainText('No');
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

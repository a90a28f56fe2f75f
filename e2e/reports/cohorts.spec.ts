import { COHORT_DAYS } from '@bidwell/contract/reports/cohorts';
import { expect } from '@playwright/test';
import { freshCompany } from '../support/company.ts';
import { test } from '../support/test.ts';
import { signIn } from '../support/session.ts';

/** A row with a ROAS of `roas` percent on each day. The days from 14 on are half over or have not ended. */
const figures = (roas: number) => ({
  installs: 40,
  spend: 200,
  unknown_amounts: 3,
  cells: COHORT_DAYS.map((day) => {
    const share = day < 14 ? 1 : day === 14 ? 0.5 : 0;
    const figure = share > 0 ? { value: roas + day, low: roas - 5, high: roas + 2 * day } : null;
    const rate = share > 0 ? { value: 25, low: 15, high: 40 } : null;
    const metrics = { roas: figure, arpu: figure, payer_rate: rate, retention: rate };
    const known = share > 0 ? 12.5 : null;
    return { day, mature_share: share, people: 40 * share, revenue: known, payers: known && 10, ...metrics };
  }),
});

test('cohorts are shown by days since the install, broken down, and in a curve @journey', async ({
  page,
  server,
}) => {
  await signIn(page, server, await freshCompany(server));
  await page.route('**/analytics/cohorts', async (route) => {
    const { by, forecast } = route.request().postDataJSON() as { by: string | null; forecast: boolean };
    const point = { revenue: 300, low: 200, high: 420 };
    const expected = {
      from_day: 7,
      expected_d30_revenue: 300,
      low: 200,
      high: 420,
      curve: [14, 30].map((day) => ({ day, ...point })),
    };
    const record = [{ day: 7, cohorts: 12, inside: 10, mean_error_percent: 9.1 }];
    const row = (cohort: string, name: string, roas: number) => ({
      cohort,
      value: by ? name : '',
      name: by ? name : '',
      ...figures(roas),
      ...(forecast && { expected }),
    });
    const rows = [row('2026-05-11', 'Germany', 60), row('2026-05-04', 'Germany', 80)];
    const total = { ...figures(70), ...(forecast && { expected }) };
    const data = { rows, total, ...(forecast && { forecast: { message: null, record } }) };
    await route.fulfill({ json: { data } });
  });
  await page.goto(`${server.url}/reports`);
  await page.getByRole('link', { name: 'Cohorts' }).click();
  const table = page.getByRole('table', { name: 'Cohorts' });
  const first = table.getByRole('row', { name: /^W20 2026/ });
  await expect(first).toContainText('61.0%');
  await expect(first).toContainText('Of 20 installs, 50% of the cohort: the others are younger');
  await expect(first).toContainText('No install is old enough yet');
  await expect(page.getByText('3 events have an amount that is not known in dollars')).toBeVisible();
  await first.getByText('61.0%').hover();
  await expect(page.getByRole('tooltip')).toContainText('55.0% to 62.0% in 95 of 100 cases');

  const total = page.getByRole('table', { name: /^ROAS by days since the install: All installs/ });
  await expect(total.getByRole('row', { name: /^D30/ })).toContainText('150.0% (100.0% to 210.0%)');
  await expect(page.getByText('Of the predictions made for 12 past weeks at day 7, 10 held')).toBeVisible();

  for (const [format, name] of [
    ['CSV', /^bidwell-cohorts-.*\.csv$/],
    ['Parquet', /^bidwell-cohorts-.*\.parquet$/],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    expect((await download).suggestedFilename()).toMatch(name);
  }

  await page.getByLabel('Break down by').selectOption('Country');
  await expect(table.getByRole('row', { name: /^W20 2026 Germany/ })).toBeVisible();
  await page.getByLabel('Metric').selectOption('Retention');
  await expect(first).toContainText('25.0%');
  await page.getByLabel('Curve of').selectOption('W19 2026 Germany');
  await expect(page).toHaveURL(/metric=retention/);
  await page.reload();
  const curve = page.getByRole('table', { name: /^Retention by days since the install: W19 2026 Germany/ });
  await expect(curve).toContainText('25.0% (15.0% to 40.0%)');
});

test('without installs the cohorts say so, and a failure can be tried again', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/reports/cohorts`);
  await expect(page.getByText('No installs in this period')).toBeVisible();
  let fails = true;
  await page.route('**/analytics/cohorts', async (route) =>
    fails ? route.fulfill({ status: 500, json: { data: 'Out of order' } }) : route.continue(),
  );
  await page.getByText('Month', { exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The cohorts could not be loaded');
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No installs in this period')).toBeVisible();
});

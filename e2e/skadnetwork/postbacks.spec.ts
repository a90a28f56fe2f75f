import { expect } from '@playwright/test';
import { freshCompany } from '../support/company.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const ADSET = '0198c0de-0000-7000-8000-000000000001';

test('postbacks are shown by their keys, beside the installs of partners, and downloaded', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/reports`);
  await page.getByRole('link', { name: 'SKAdNetwork' }).click();
  await expect(page.getByText('No postbacks arrived in this range')).toBeVisible();
  await expect(page.getByText('the two must not be added')).toBeVisible();

  const counts = { postbacks: 12, won: 9, lost: 3, downloads: 8, redownloads: 1, re_engagements: 0 };
  await page.route('**/analytics/skadnetwork', async (route) => {
    const { by } = route.request().postDataJSON() as { by: string[] };
    const names: Record<string, string> = {
      adset: 'Germany, videos',
      window: 'Window 0, days 0–2',
      value: '5: purchase',
    };
    const rows = [{ groups: by.map((key) => ({ key, name: names[key] ?? key })), ...counts }];
    const problems = [{ reason: 'bad_signature', count: 4, last_at: '2026-06-02T12:00:00.000Z' }];
    await route.fulfill({ json: { data: { rows, total: counts, problems } } });
  });
  await page.route('**/analytics/skadnetwork/comparison?*', async (route) => {
    const row = { day: '2026-06-02', adset: { uuid: ADSET, name: 'Germany, videos' } };
    const installs = { partner_installs: 7, postback_installs: 9 };
    await route.fulfill({ json: { data: { rows: [{ ...row, ...installs }], total: installs } } });
  });
  await page.reload();
  const table = page.getByRole('table', { name: 'Postbacks', exact: true });
  await expect(
    table.getByRole('row', { name: /Germany, videos Window 0, days 0–2 12 9 3 8 1 0/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Postbacks that need a look' })).toContainText(
    'bad signature',
  );
  const beside = page.getByRole('table', { name: 'Installs by partner and by postbacks' });
  await expect(beside.getByRole('row', { name: /Germany, videos .*7 9$/ })).toBeVisible();

  await page.goto(`${page.url()}${page.url().includes('?') ? '&' : '?'}by=value`);
  await expect(table.getByRole('row', { name: /5: purchase/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^bidwell-skadnetwork-.*\.csv$/);
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

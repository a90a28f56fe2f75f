import { WAREHOUSE_KINDS } from '@bidwell/contract/warehouse/schema';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { type Page, expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { errorsOf } from '../support/page-errors.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

/** The files of the first hour, which follow up to 70 minutes after an export begins. */
const stored = {
  uuid: '01900000-0000-7000-8000-000000000001',
  kind: 'impressions',
  stored_from: '2026-03-06T10:00:00.000Z',
  stored_before: '2026-03-06T11:00:00.000Z',
  status: 'stored',
  attempts: 1,
  files: 2,
  rows: 260_118,
  bytes: 18_874_368,
  error: null,
  finished_at: '2026-03-06T11:10:07.000Z',
};
const refused = {
  ...stored,
  uuid: '01900000-0000-7000-8000-000000000002',
  kind: 'clicks',
  status: 'failed',
  attempts: 12,
  files: null,
  rows: null,
  bytes: null,
  error: '“Our bucket”: The key may not store objects in the bucket: it needs s3:PutObject.',
};

interface Bucket {
  name: string;
  endpoint: string;
  accessKey: string;
}

async function addBucket(page: Page, { name, endpoint, accessKey }: Bucket): Promise<void> {
  await page.getByRole('button', { name: 'Add destination' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a destination' });
  await dialog.getByText('S3 bucket', { exact: true }).click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Address').fill(endpoint);
  await dialog.getByLabel('Region').fill('us-east-1');
  await dialog.getByRole('textbox', { name: 'Bucket', exact: true }).fill('creatives');
  await dialog.getByLabel('Access key').fill(accessKey);
  await dialog.getByLabel(/^Secret key/).fill('S3RVER');
  await dialog.getByRole('button', { name: 'Add destination' }).click();
  await expect(dialog).toBeHidden();
}

async function sendTest(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
}

test('events are exported to a bucket, whose test is refused first, and the log has the files of each hour', async ({
  page,
}) => {
  const errors = errorsOf(page);
  const s3 = await startS3Server();
  const own = await startServer('serve', { ALERT_INTERNAL_HOSTS: `127.0.0.1:${s3.port}` }, emptyFolder());
  const { endpoint } = s3.settings;
  try {
    await signIn(page, own.server, await freshCompany(own.server));
    await page.goto(`${own.server.url}/reports/scheduled`);
    const section = page.getByRole('region', { name: 'Events for your warehouse' });
    await expect(section).toContainText('Add an S3 bucket to the destinations first.');
    await expect(section.getByRole('button')).toHaveCount(0);
    expect(await seriousViolations(page)).toEqual([]);

    await test.step('the test of a bucket with a wrong key says that it is refused', async () => {
      await addBucket(page, { name: 'Wrong key', endpoint, accessKey: 'UNKNOWN' });
      await sendTest(page, 'Wrong key');
      await expect(page.getByRole('row', { name: /Wrong key/ }).getByRole('status')).toContainText(
        'S3 does not know the access key.',
      );
      await addBucket(page, { name: 'Our bucket', endpoint, accessKey: 'S3RVER' });
      await sendTest(page, 'Our bucket');
      await expect(page.getByText('The test arrived.')).toBeVisible();
    });

    await test.step('an export needs a kind of events, and begins with the present hour', async () => {
      await section.getByRole('button', { name: 'Export events' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export events' });
      await dialog.getByRole('combobox', { name: 'Bucket' }).click();
      await page.getByRole('option', { name: 'Our bucket' }).click();
      const kinds = dialog.getByRole('combobox', { name: 'Events' });
      for (const _kind of WAREHOUSE_KINDS) await kinds.press('Backspace');
      await dialog.getByRole('button', { name: 'Begin the export' }).click();
      await expect(dialog.getByText('Choose the kinds of events, each once')).toBeVisible();
      await kinds.press('ArrowDown');
      await page.getByRole('option', { name: 'Impressions' }).click();
      await page.getByRole('option', { name: 'Clicks' }).click();
      await page.keyboard.press('Escape');
      expect(await seriousViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Begin the export' }).click();
      await expect(dialog).toBeHidden();
      await expect(section).toContainText(/Events that arrived before .+ are in “Our bucket”\./);
      await expect(section).toContainText('The files of an hour follow ten minutes after its end.');
    });

    await test.step('the log has the files of an hour, and why others are missing', async () => {
      await page.route('**/warehouse-export/runs', (route) =>
        route.fulfill({ json: { data: { runs: [stored, refused] } } }),
      );
      await page.reload();
      const files = section.getByRole('table', { name: 'Exported files' });
      await expect(files.getByRole('row', { name: /Impressions/ })).toContainText(/Stored.*260.118.*18/);
      const failed = files.getByRole('row', { name: /Clicks/ });
      await expect(failed).toContainText(
        '“Our bucket”: The key may not store objects in the bucket: it needs s3:PutObject. 12 tries.',
      );
      await expect(failed.getByRole('cell', { name: '–' })).toHaveCount(3);
      expect(await seriousViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.locator('html')).toHaveJSProperty('scrollWidth', 390);
      expect(await seriousViolations(page)).toEqual([]);
    });

    await test.step('it is switched off, and ended', async () => {
      await section.getByRole('button', { name: 'Change the export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the export' });
      await dialog.getByRole('switch', { name: 'Export every hour' }).press('Space');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(section).toContainText('The export is off.');
      await section.getByRole('button', { name: 'End the export' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End the export' }).click();
      await expect(section).toContainText('No events are exported.');
    });
    expect(errors).toEqual([]);
  } finally {
    await own.stop();
    await s3.stop();
  }
});

import { video } from '@bidwell/testing/files/videos';
import { type Page, expect } from '@playwright/test';
import { bannerPicture, makeApp } from './support/company.ts';
import { choose, fill } from './support/fields.ts';
import { errorsOf } from './support/page-errors.ts';
import { signInToNewCompany } from './support/session.ts';
import { test } from './support/test.ts';

const picture = async (name: string, width: number, height: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await bannerPicture(width, height),
});
const playable = '<!doctype html><title>Try it</title><button onclick="mraid.open()">Play</button>';

const upload = (page: Page) => page.getByRole('button', { name: /^Upload( \d+ .*)?$/ }).click();
const files = (page: Page) => page.locator('input[type="file"]').first();
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

/** Opens the uploads of a type of creative for "Pocket Farm", whose tracking link fills the addresses. */
async function openUploads(page: Page, url: string, type: string): Promise<void> {
  await page.goto(`${url}/creatives/add-creative?type=${type}`);
  await choose(page, 'App', 'Pocket Farm');
  await expect(page.getByRole('textbox', { name: 'Click URL' })).toHaveValue(/clickid=/);
}

test('creatives of each type are uploaded, put into a group and imported into another app @journey', async ({
  page,
  server,
}) => {
  const { url } = server;
  const errors = errorsOf(page);
  const { company } = await signInToNewCompany(page, server);
  await makeApp(company, 'Night Runner');

  await test.step('a banner of an unsupported size is rejected with its size; others show the progress of their upload', async () => {
    await openUploads(page, url, 'Banner');
    await files(page).setInputFiles(await picture('Odd.png', 333, 77));
    await expect(page.getByRole('alert')).toContainText(
      'The uploaded creative is 333×77 px, which isn’t supported for this placement.',
    );
    await page.getByRole('button', { name: 'Remove Odd' }).click();
    await files(page).setInputFiles([
      await picture('Wide.png', 320, 50),
      await picture('Tall.png', 320, 480),
    ]);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v2/internal_creative', async (route) => {
      await released;
      await route.continue();
    });
    await upload(page);
    const bar = page.getByRole('progressbar', { name: 'Progress of all uploads' });
    await expect(bar).toBeAttached();
    release();
    await expect(page).toHaveURL(/\/creatives\?/);
    await expect(row(page, /Wide/)).toBeVisible();
    await expect(row(page, /Tall/)).toBeVisible();
    await expect(bar).toHaveCount(0);
  });

  await test.step('a native image, with its texts', async () => {
    await openUploads(page, url, 'Native');
    await files(page).setInputFiles(await picture('Story.png', 1200, 627));
    await fill(page, 'Headline/Title', 'A farm in your pocket');
    await fill(page, 'Sponsored By', 'Pocket Farm');
    await upload(page);
    await expect(row(page, /Story/)).toBeVisible();
  });

  await test.step('a playable, shown in a sandbox', async () => {
    await openUploads(page, url, 'Playable');
    await files(page).setInputFiles({
      name: 'Game.html',
      mimeType: 'text/html',
      buffer: Buffer.from(playable),
    });
    await upload(page);
    await expect(row(page, /Game/)).toBeVisible();
    await page.getByRole('button', { name: 'Preview Game' }).click();
    const frame = page.locator('iframe').first();
    await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
    await expect(frame.contentFrame().getByRole('button', { name: 'Play' })).toBeVisible();
  });

  await test.step('a video stays local until it has an end card', async () => {
    await openUploads(page, url, 'Video');
    await files(page).setInputFiles({
      name: 'Clip.mp4',
      mimeType: 'video/mp4',
      buffer: await video(1280, 720),
    });
    await expect(page.getByText('Held here until its end card is added.')).toBeVisible();
    await upload(page);
    await expect(page.getByRole('alert').filter({ hasText: 'End card: required' })).toBeVisible();
    // Adding the end card creates the creative.
    await page.getByLabel('End card of Clip').setInputFiles(await picture('Card.png', 1280, 720));
    await expect(row(page, /Clip/)).toContainText('1280×720');
  });

  await test.step('a creative group of all four types', async () => {
    await page.goto(`${url}/creative-groups/edit`);
    await fill(page, 'Title', 'Everything');
    for (const [panel, name] of [
      ['Images', 'Wide'],
      ['Native', 'Story'],
      ['Playable', 'Game'],
      ['Videos', 'Clip'],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Type of creative' }).getByText(panel).click();
      await fill(page, 'Search creatives', name);
      await page.getByRole('checkbox', { name, exact: true }).first().check();
    }
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText(
      /Image 1.*Video 1.*Native 1.*Playable 1/,
    );
    await fill(page, 'Headline/Title', 'Fresh today');
    await page.getByRole('button', { name: 'Save creative group' }).click();
    await expect(row(page, /Everything/)).toContainText('Image 1');
    await page.getByRole('link', { name: 'Edit Everything' }).click();
    await expect(page.getByRole('textbox', { name: 'Headline/Title' })).toHaveValue('Fresh today');
    await fill(page, 'Description', 'All that a week needs');
    await page.getByRole('button', { name: 'Save creative group' }).click();
    await expect(row(page, /Everything/)).toContainText('All that a week needs');
  });

  await test.step('creatives are imported into another app', async () => {
    await page.goto(`${url}/creatives`);
    await page.getByRole('button', { name: 'Import creatives' }).click();
    await choose(page, 'From app', 'Pocket Farm');
    await choose(page, 'To app', 'Night Runner');
    const dialog = page.getByRole('dialog');
    // The app has no tracking link, which would fill them in.
    await dialog
      .getByRole('textbox', { name: 'Click URL' })
      .fill('https://runner.example/click?id={click_id}');
    await dialog.getByRole('textbox', { name: 'View URL' }).fill('https://runner.example/view');
    await dialog.getByRole('checkbox', { name: 'Import Story' }).check();
    await dialog.getByRole('button', { name: 'Import 1' }).click();
    await expect(page.getByText('Creative imported')).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Type of creative' }).getByText('Native').click();
    await expect(row(page, /Story.*Night Runner/)).toBeVisible();
  });
  expect(errors).toEqual([]);
});

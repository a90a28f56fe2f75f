import type { Ssp, TopUpItem } from '@bidwell/contract/operator/schema';
import { video } from '@bidwell/testing/files/videos';
import { DEMO_SSP } from '@bidwell/exchange/demo/company';
import { type Page, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { bidFor, click, win } from './support/exchange.ts';
import { choose, fill } from './support/fields.ts';
import { demoCompany, test } from './support/test.ts';
import { signIn } from './support/session.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2a6f4e' } })
    .png()
    .toBuffer();
const file = (name: string, buffer: Buffer, mimeType = 'image/png') => ({ name, mimeType, buffer });
const addresses = {
  click: 'https://market.example/click?id={click_id}',
  view: 'https://market.example/view',
};
const playable = '<!doctype html><title>Try it</title><button onclick="mraid.open()">Play</button>';

async function openUploads(page: Page, url: string, panel: string, app = 'Basket Bloom'): Promise<void> {
  await page.goto(`${url}/creatives/add-creative?type=${panel}`);
  await choose(page, 'App', app);
  await fill(page, 'Click URL', addresses.click);
  await fill(page, 'View URL', addresses.view);
}

const upload = (page: Page) => page.getByRole('button', { name: /^Upload( \d+ .*)?$/ }).click();
const files = (page: Page) => page.locator('input[type="file"]').first();

/** Clicks a form's save button. */
async function save(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: `Save ${what}` }).click();
}

test('a week of an advertiser: everything is created, edited, paused, searched, exported and paid @journey', async ({
  page,
  ownServer: { server },
}) => {
  const { url } = server;
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  const company = await demoCompany(server);
  // Bids and charges are compared without the operator's margin.
  await server.operator('PATCH', `/companies/${company.companyUuid}`, { margin_percent: 0 });
  await signIn(page, server, company);

  await test.step('a banner of an unsupported size is rejected with its size', async () => {
    await openUploads(page, url, 'Banner');
    await files(page).setInputFiles(file('Odd.png', await picture(333, 77)));
    await expect(page.getByRole('alert')).toContainText(
      'The uploaded creative is 333×77 px, which isn’t supported for this placement.',
    );
    await page.getByRole('button', { name: 'Remove Odd' }).click();
    await files(page).setInputFiles([
      file('Week wide.png', await picture(320, 50)),
      file('Week tall.png', await picture(320, 480)),
    ]);
    await upload(page);
    await expect(page).toHaveURL(/\/creatives\?/);
    await expect(page.getByRole('row', { name: /Week wide/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Week tall/ })).toBeVisible();
  });

  await test.step('a native image, with its texts', async () => {
    await openUploads(page, url, 'Native');
    await files(page).setInputFiles(file('Week native.png', await picture(1200, 627)));
    await fill(page, 'Headline/Title', 'Groceries in ten minutes');
    await fill(page, 'Sponsored By', 'Basket Bloom');
    await upload(page);
    await expect(page.getByRole('row', { name: /Week native/ })).toBeVisible();
  });

  await test.step('a playable, shown in a sandbox', async () => {
    await openUploads(page, url, 'Playable');
    await files(page).setInputFiles(file('Week game.html', Buffer.from(playable), 'text/html'));
    await upload(page);
    await expect(page.getByRole('row', { name: /Week game/ })).toBeVisible();
    await page.getByRole('button', { name: 'Preview Week game' }).click();
    const frame = page.locator('iframe').first();
    await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
    await expect(frame.contentFrame().getByRole('button', { name: 'Play' })).toBeVisible();
  });

  await test.step('a video stays local until it has an end card', async () => {
    await openUploads(page, url, 'Video');
    await files(page).setInputFiles(file('Week clip.mp4', await video(1280, 720), 'video/mp4'));
    await expect(page.getByText('Held here until its end card is added.')).toBeVisible();
    await upload(page);
    await expect(page.getByRole('alert').filter({ hasText: 'End card: required' })).toBeVisible();
    // Adding the end card creates the creative.
    await page.getByLabel('End card of Week clip').setInputFiles(file('Card.png', await picture(1280, 720)));
    await expect(page.getByRole('row', { name: /Week clip/ })).toContainText('1280×720');
  });

  await test.step('a creative group of all four types', async () => {
    await page.goto(`${url}/creative-groups/edit`);
    await fill(page, 'Title', 'Week of everything');
    for (const [panel, name] of [
      ['Images', 'Week wide'],
      ['Native', 'Week native'],
      ['Playable', 'Week game'],
      ['Videos', 'Week clip'],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Type of creative' }).getByText(panel).click();
      await fill(page, 'Search creatives', name);
      await page.getByRole('checkbox', { name, exact: true }).first().check();
    }
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText(
      /Image 1.*Video 1.*Native 1.*Playable 1/,
    );
    await fill(page, 'Headline/Title', 'Fresh today');
    await save(page, 'creative group');
    const row = page.getByRole('row', { name: /Week of everything/ });
    await expect(row).toContainText('Image 1');
    await row.getByRole('link', { name: 'Edit Week of everything' }).click();
    await expect(page.getByRole('textbox', { name: 'Headline/Title' })).toHaveValue('Fresh today');
    await fill(page, 'Description', 'All that a week needs');
    await save(page, 'creative group');
    await expect(page.getByRole('row', { name: /Week of everything/ })).toContainText(
      'All that a week needs',
    );
  });

  await test.step('creatives are imported into another app', async () => {
    await page.goto(`${url}/creatives`);
    await page.getByRole('button', { name: 'Import creatives' }).click();
    await choose(page, 'From app', 'Basket Bloom');
    await choose(page, 'To app', 'Lumen Drift');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Import Week native' }).check();
    await dialog.getByRole('button', { name: 'Import 1' }).click();
    await expect(page.getByText('Creative imported')).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Type of creative' }).getByText('Native').click();
    await expect(page.getByRole('row', { name: /Week native.*Lumen Drift/ })).toBeVisible();
  });

  await test.step('a target with countries from the picker, in plain words', async () => {
    await page.goto(`${url}/targets/edit`);
    await fill(page, 'Title', 'Nordic phones');
    await choose(page, 'App', 'Basket Bloom');
    await choose(page, 'Device types', 'Phone');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose countries to include' }).click();
    const dialog = page.getByRole('dialog', { name: 'Countries to include' });
    await dialog.getByRole('textbox').fill('swe');
    await dialog.getByRole('checkbox', { name: /Sweden/ }).check();
    await dialog.getByRole('textbox').fill('DEU');
    await dialog.getByRole('checkbox', { name: /Germany/ }).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('status', { name: 'Reaches' })).toContainText(
      /phones.*Sweden.*Germany|phones.*Germany.*Sweden/,
    );
    await save(page, 'target');
    await expect(page).toHaveURL(/\/assets\?tab=targets/);
    const row = page.getByRole('row', { name: /Nordic phones/ });
    await row.getByRole('button', { name: 'Edit title Nordic phones' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Northern phones');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /Northern phones/ })).toBeVisible();
  });

  await test.step('a tracking link from the partner’s template, checked, with the addresses for its postbacks', async () => {
    await page.goto(`${url}/tracking-links/edit`);
    await choose(page, 'App', 'Lumen Drift');
    await fill(page, 'Title', 'Lumen week');
    await page.getByRole('button', { name: 'Use the template of AppsFlyer' }).click();
    await expect(page.getByRole('textbox', { name: 'Click URL' })).toHaveValue(
      /app\.appsflyer\.com.*\{click_id\}/,
    );
    await page
      .getByRole('textbox', { name: 'Click URL' })
      .fill('https://app.appsflyer.com/id6400900117?pid=bidwell_int');
    await expect(page.getByRole('status').filter({ hasText: 'click_id' }).first()).toBeVisible();
    const postbacks = page.getByRole('region', { name: 'Postbacks' });
    await expect(postbacks).toContainText(`${url}/postback/appsflyer/`);
    await expect(postbacks).toContainText('click_id=(clickid)');
    await expect(postbacks).toContainText('No postbacks came from AppsFlyer in the last 30 days.');
    await page.getByRole('button', { name: 'Use the template of AppsFlyer' }).click();
    await save(page, 'tracking link');
    const row = page.getByRole('row', { name: /Lumen week/ });
    await expect(row).toContainText('AppsFlyer');
    await row.getByRole('button', { name: /Edit description/ }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('For the second week');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('For the second week');
  });

  await test.step('a campaign and its ad set are created together; the draft survives a reload', async () => {
    await page.goto(`${url}/campaigns/create`);
    await fill(page, 'Campaign name', 'Northern week');
    await choose(page, 'App', 'Basket Bloom');
    await page.getByRole('button', { name: 'New ad set' }).click();
    await fill(page, 'Title', 'Northern phones at home');
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Northern phones at home');
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Campaign name' })).toHaveValue('Northern week');
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Northern phones at home');
    await page.getByRole('group', { name: 'Northern phones at home' }).getByRole('button').first().click();
    await choose(page, 'Target', 'Northern phones');
    await choose(page, 'Tracking link', 'Basket Bloom link');
    await choose(page, 'Creative groups', 'Week of everything');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: /Manual CPM/ }).check();
    await fill(page, 'CPM bid', '3');
    await fill(page, 'Daily budget', '40');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByText('Campaign created successfully')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Northern week', exact: true })).toBeVisible();
  });

  await test.step('the bundle lists of an ad set, typed and by CSV, and a bid for one bundle', async () => {
    await page.getByRole('button', { name: 'Expand Northern week' }).click();
    await page.getByRole('link', { name: 'Northern phones at home', exact: true }).click();
    await page.getByRole('button', { name: 'Edit blocklist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Manual or CSV Rule Template' });
    await dialog.getByRole('textbox').fill('Com.Loud.Ads; com.loud.ads, com.other.game.');
    await dialog
      .locator('input[type="file"]')
      .setInputFiles(
        file(
          'list.csv',
          Buffer.from('Bundle,Spends\ncom.third.game,12.5\nandroid,3\nCom.Upper,1\n'),
          'text/csv',
        ),
      );
    await expect(
      dialog.getByText('1 bundle added from the column “Bundle” of list.csv', { exact: false }),
    ).toBeVisible();
    await expect(dialog.getByText('Line 4: “Com.Upper”')).toBeVisible();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const list = page.getByRole('group', { name: 'Blocklist' });
    for (const bundle of ['com.loud.ads', 'com.other.game', 'com.third.game'])
      await expect(list).toContainText(bundle);
    await fill(page, 'Bundle', 'com.good.game');
    await fill(page, 'CPM there', '5');
    await page.getByRole('button', { name: 'Add bid' }).click();
    await expect(page.getByRole('table', { name: 'Bundle bids' })).toContainText('$5.00');
    await save(page, 'ad set');
    await expect(page).toHaveURL(/\/campaigns/);
  });

  await test.step('prices and names are changed in the table', async () => {
    await page.goto(`${url}/campaigns`);
    await fill(page, 'Search campaigns', 'northern');
    await expect(page.getByRole('row', { name: /Lumen/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit title Northern week' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Northern fortnight');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: 'Northern fortnight', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Expand Northern fortnight' }).click();
    await expect(page.getByRole('row', { name: /Northern phones at home/ })).toBeVisible();
    // The table of campaigns has no column of bids, since campaigns have no bids.
    await page.goto(`${url}/campaigns?depth=adset`);
    await page.getByRole('button', { name: 'Edit cpm bid of Northern phones at home' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('3.25');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /Northern phones at home/ })).toContainText('$3.25');
  });

  await test.step('several campaigns are paused and started at once', async () => {
    await page.goto(`${url}/campaigns`);
    await page.getByRole('checkbox', { name: 'Select Lumen Drift launch' }).check();
    await page.getByRole('checkbox', { name: 'Select Lumen Drift East Asia' }).check();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.getByText('2 paused')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start Lumen Drift launch' })).toBeVisible();
    await page.getByRole('button', { name: 'Start Lumen Drift launch' }).click();
    await expect(page.getByRole('button', { name: 'Pause Lumen Drift launch' })).toBeVisible();
  });

  await test.step('an app’s description is edited inline, and its category in its form', async () => {
    await page.goto(`${url}/assets?tab=apps`);
    await page.getByRole('button', { name: /^Edit description A calm puzzle/ }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Lanterns, tides and calm');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /Lumen Drift/ });
    await expect(row).toContainText('Lanterns, tides and calm');
    await row.getByRole('link', { name: 'Edit Lumen Drift' }).click();
    await fill(page, 'Rating', '4.9');
    await save(page, 'app');
    await expect(page).toHaveURL(/\/assets/);
  });

  await test.step('apps in use are not deleted, unused ones are', async () => {
    await page.goto(`${url}/add-app`);
    await fill(page, 'App store link', 'https://apps.apple.com/us/app/short-lived/id6400900999');
    await page.getByLabel('App store link').blur();
    await expect(page.getByRole('textbox', { name: 'Bundle ID' })).toHaveValue('6400900999');
    await fill(page, 'Title', 'Short Lived');
    await choose(page, 'Category', 'Shopping');
    await choose(page, 'Measurement partner (MMP)', 'AppMetrica');
    await save(page, 'app');
    // Exchanges require it, and it follows neither from the link nor from the number.
    await expect(page.getByRole('textbox', { name: 'Advertiser domain' })).toBeFocused();
    await fill(page, 'Advertiser domain', 'https://www.short-lived.example/games');
    await save(page, 'app');
    await page.getByRole('checkbox', { name: 'Select Short Lived' }).check();
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect(page.getByRole('row', { name: /Short Lived/ })).toHaveCount(0);
  });

  const spent = 10 * 0.002;
  await test.step('the exchange buys, and a report is filtered, saved and exported', async () => {
    const { items } = await server.operator<{ items: { entity: string; uuid: string }[] }>(
      'GET',
      '/moderation',
    );
    for (const { entity, uuid } of items)
      await server.operator('POST', `/${entity}s/${uuid}/decision`, { status: 'Approved' });
    await page.goto(`${url}/campaigns`);
    await page.getByRole('button', { name: 'Start Northern fortnight' }).click();
    await expect(page.getByRole('button', { name: 'Pause Northern fortnight' })).toBeVisible();
    const { ssps } = await server.operator<{ ssps: Ssp[] }>('GET', '/ssps');
    const { path } = ssps.find(({ slug }) => slug === DEMO_SSP)!;
    for (let number = 0; number < 10; number += 1) {
      const bid = await bidFor(url, path, `week-${number}`);
      expect(bid).toMatchObject({ price: 3.25 });
      await win(bid, 2);
      if (number < 2) await click(bid);
    }
    await page.goto(`${url}/reports`);
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    // The screen may be drawn again once its report has arrived.
    await expect(async () => {
      if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add filter' }).click();
      await expect(dialog).toBeVisible({ timeout: 2000 });
    }).toPass();
    await dialog.getByLabel('Search filters').fill('country');
    await dialog.getByRole('button', { name: 'Country' }).click();
    await dialog.getByRole('checkbox', { name: /Germany/ }).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const total = page.getByRole('row', { name: /^Total/ });
    await expect(total).toContainText(`$${spent.toFixed(2)}`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: /Save this view/ }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Germany');
    await page.getByRole('button', { name: 'Save view' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV of this view' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toContain('Ad set,Creative type,');
    expect(lines.at(-1)).toMatch(/^Total,,0\.02,2,0,10,/);
    await page.getByRole('button', { name: 'Reset all filters' }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Germany', exact: true }).click();
    await expect(page.getByRole('button', { name: /Remove the filter Country/ })).toBeVisible();
  });

  await test.step('the balance is topped up', async () => {
    await page.goto(`${url}/finances`);
    await expect(page.getByRole('group', { name: 'Balance' })).toContainText('$19 999.98');
    await page.getByRole('button', { name: 'Top up' }).first().click();
    await page.getByRole('dialog').getByLabel('Amount').fill('250');
    await page.getByRole('button', { name: 'Send request' }).click();
    const row = page.getByRole('row', { name: /\+\$250\.00/ });
    await expect(row).toContainText('Pending');
    const { top_ups: waiting } = await server.operator<{ top_ups: TopUpItem[] }>('GET', '/top-ups');
    const own = waiting.find(
      ({ company_uuid: uuid, amount }) => uuid === company.companyUuid && amount === 250,
    )!;
    await server.operator('POST', `/top-ups/${own.uuid}/decision`, { status: 'success' });
    await expect(row).toContainText('Success');
    await expect(page.getByRole('group', { name: 'Balance' })).toContainText('$20 249.98');
  });

  await test.step('the notifications at the bell are read, the change log lists the week, the profile is edited', async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await page.getByText('Unread', { exact: true }).click();
    await expect(page.getByText('You have read everything.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.goto(`${url}/changes`);
    await expect(page.getByText('Demo Advertiser started campaign Northern fortnight').first()).toBeVisible();
    await page.goto(`${url}/profile`);
    await fill(page, 'Contact', '@grace');
    await save(page, 'profile');
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  });

  await test.step('the user logs out', async () => {
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await expect(page).toHaveURL(/\/login/);
    await page.goto(`${url}/campaigns`);
    await expect(page).toHaveURL(/\/login/);
  });

  expect(faults).toEqual([]);
});

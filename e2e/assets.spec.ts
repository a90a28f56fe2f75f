import { type Locator, type Page, expect } from '@playwright/test';
import { approveAndFund, makeCampaign, startCampaign } from './support/company.ts';
import { choose, fill } from './support/fields.ts';
import { errorsOf } from './support/page-errors.ts';
import { signInToNewCompany } from './support/session.ts';
import { test } from './support/test.ts';

const save = (page: Page, what: string) => page.getByRole('button', { name: `Save ${what}` }).click();

/** Edits a text of a table in its place, which `button` opens. */
async function editInPlace(button: Locator, text: string): Promise<void> {
  await button.click();
  const dialog = button.page().getByRole('dialog');
  await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', { name: 'Save' }).click();
}

test('a target, a tracking link, the bundles of an ad set and an app are edited; campaigns are paused together @journey', async ({
  page,
  server,
}) => {
  const { url } = server;
  const errors = errorsOf(page);
  const { company, parts } = await signInToNewCompany(page, server);
  const campaigns = [
    await makeCampaign(company, parts, 'Spring launch'),
    await makeCampaign(company, parts, 'Autumn launch'),
  ];
  await approveAndFund(server, company);
  for (const { uuid } of campaigns) await startCampaign(company, uuid);

  await test.step('a target with countries from the picker, in plain words', async () => {
    await page.goto(`${url}/targets/edit`);
    await fill(page, 'Title', 'Nordic phones');
    await choose(page, 'App', 'Pocket Farm');
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
    await editInPlace(page.getByRole('button', { name: 'Edit title Nordic phones' }), 'Northern phones');
    await expect(page.getByRole('row', { name: /Northern phones/ })).toBeVisible();
  });

  await test.step('a tracking link from the partner’s template, checked, with the addresses for its postbacks', async () => {
    await page.goto(`${url}/tracking-links/edit`);
    await choose(page, 'App', 'Pocket Farm');
    await fill(page, 'Title', 'Second partner');
    const clickUrl = page.getByRole('textbox', { name: 'Click URL' });
    await page.getByRole('button', { name: 'Use the template of AppsFlyer' }).click();
    await expect(clickUrl).toHaveValue(/app\.appsflyer\.com.*\{click_id\}/);
    await clickUrl.fill('https://app.appsflyer.com/com.example.pocketfarm?pid=bidwell_int');
    await expect(page.getByRole('status').filter({ hasText: 'click_id' }).first()).toBeVisible();
    const postbacks = page.getByRole('region', { name: 'Postbacks' });
    await expect(postbacks).toContainText(`${url}/postback/appsflyer/`);
    await expect(postbacks).toContainText('click_id=(clickid)');
    await expect(postbacks).toContainText('No postbacks came from AppsFlyer in the last 30 days.');
    await page.getByRole('button', { name: 'Use the template of AppsFlyer' }).click();
    await save(page, 'tracking link');
    const row = page.getByRole('row', { name: /Second partner/ });
    await expect(row).toContainText('AppsFlyer');
    await editInPlace(row.getByRole('button', { name: /Edit description/ }), 'For the second week');
    await expect(row).toContainText('For the second week');
  });

  await test.step('several campaigns are paused at once, and one is started', async () => {
    await page.goto(`${url}/campaigns`);
    for (const name of ['Spring launch', 'Autumn launch'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.getByText('2 paused')).toBeVisible();
    await page.getByRole('button', { name: 'Start Spring launch' }).click();
    await expect(page.getByRole('button', { name: 'Pause Spring launch' })).toBeVisible();
  });

  await test.step('the bundle lists of an ad set, typed and by CSV, and a bid for one bundle', async () => {
    await page.getByRole('button', { name: 'Expand Spring launch' }).click();
    await page.getByRole('link', { name: 'Broad reach', exact: true }).click();
    await page.getByRole('button', { name: 'Edit blocklist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Manual or CSV Rule Template' });
    await dialog.getByRole('textbox').fill('Com.Loud.Ads; com.loud.ads, com.other.game.');
    await dialog.locator('input[type="file"]').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Bundle,Spends\ncom.third.game,12.5\nandroid,3\nCom.Upper,1\n'),
    });
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

  await test.step('an app without what exchanges require is not saved; one without campaigns is deleted', async () => {
    await page.goto(`${url}/add-app`);
    await fill(page, 'App store link', 'https://apps.apple.com/us/app/short-lived/id6400900999');
    await page.getByLabel('App store link').blur();
    await expect(page.getByRole('textbox', { name: 'Bundle ID' })).toHaveValue('6400900999');
    await fill(page, 'Title', 'Short Lived');
    await choose(page, 'Category', 'Shopping');
    await choose(page, 'Measurement partner (MMP)', 'AppMetrica');
    await save(page, 'app');
    // It follows neither from the link nor from the number.
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

  await test.step('the notifications at the bell are read, and the change log lists what was done', async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await page.getByText('Unread', { exact: true }).click();
    await expect(page.getByText('You have read everything.')).toBeVisible();
    await page.goto(`${url}/changes`);
    await expect(page.getByText('Demo Advertiser started campaign Spring launch').first()).toBeVisible();
  });
  expect(errors).toEqual([]);
});

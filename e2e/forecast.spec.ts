import { type Locator, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { freshCompany, makeAdset, makeAdsetParts } from './support/company.ts';
import { errorsOf } from './support/page-errors.ts';
import { signIn, signInWithCampaign } from './support/session.ts';
import { test } from './support/test.ts';

const Made = z.object({ uuid: z.uuid() });
const range = (about: number) => ({ about, low: about * 0.8, high: about * 1.25 });

/** A response for a bid, as a server with a week of requests gives it. */
const forecastAt = (bid: number) => ({
  message: null,
  day: {
    matching: range(14_400),
    impressions: range(4400),
    spend: range(10.5),
    cpm: range(2.4),
    installs: range(4),
    win_share: 0.31,
    audience_share: null,
    capped_share: null,
    limited_by: 'daily_budget',
    nothing_because: null,
  },
  curve: {
    price: 'bet_cpm',
    present: 4,
    points: Array.from({ length: 9 }, (_, step) => ({
      bid: Number((bid * 2 ** ((step - 4) / 2)).toFixed(2)),
      win_share: [0.02, 0.06, 0.14, 0.22, 0.31, 0.4, 0.48, 0.53, 0.55][step]!,
      impressions: 1000 * step,
      spend: 2 * step,
    })),
  },
  what_if: {
    date: '2026-05-04',
    actual: { impressions: 3100, spend: 7.4, installs: 3 },
    changed: { impressions: range(4400), spend: range(10.5), installs: range(4) },
  },
  not_counted: [],
  sampled_requests: 198_000,
  value: null,
  bids: 12_345,
  record: { compared: 12, inside: 8, median_error_percent: 14, widened_by: 1.6 },
});

test('the form of an ad set forecasts a day, and says when there is too little for it @journey', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const { company } = await signInWithCampaign(page, server);
  const adset = z.object({ adsets: z.array(z.object({ uuid: z.uuid() })) });
  const { adsets } = await company.api.get('/adset', adset);
  await page.goto(`${server.url}/adset`);
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(
    forecast.getByText(/^Choose a target, creative groups and a bid strategy, and enter a CPM bid/),
  ).toBeVisible();
  await page.goto(`${server.url}/adset/edit?uuid=${adsets[0]!.uuid}`);
  await expect(forecast.getByText(/too few for a forecast/)).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.route('**/adset/forecast', async (route) => {
    const { bet_cpm: bid } = route.request().postDataJSON() as { bet_cpm: number };
    await route.fulfill({ json: { data: forecastAt(bid) } });
  });
  await page.getByRole('textbox', { name: 'CPM bid' }).fill('2.40');
  await expect(forecast.getByText('At $2.40 you win 31% of the matching requests.')).toBeVisible();
  await expect(
    forecast.getByText(
      /^Yesterday: 3.100 impressions for \$7\.40; with this change it would have been about 4.400/,
    ),
  ).toBeVisible();
  await expect(
    forecast.getByText(
      'Of your last 12 forecasts, 8 were within their range; the median error was 14%. The ranges are 1.6 times as wide because of that.',
    ),
  ).toBeVisible();
  await expect(forecast.getByText(/^The daily budget runs out during the day/)).toBeVisible();
  await expect(forecast.getByRole('row', { name: /\$2\.40, the present bid/ })).toBeAttached();
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('an ad set in the form of a campaign is forecast when it is opened', async ({ page, server }) => {
  const errors = errorsOf(page);
  const { uuid } = await signInWithCampaign(page, server);
  await page.route('**/adset/forecast', async (route) => {
    const { bet_cpm: bid } = route.request().postDataJSON() as { bet_cpm: number };
    await route.fulfill({ json: { data: forecastAt(bid) } });
  });
  await page.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
  const forecast = page.getByRole('region', { name: 'Forecast' });
  const card = page.getByRole('group', { name: 'Broad reach' });
  await expect(card).toBeVisible();
  await expect(forecast).toBeHidden();
  await card.getByRole('button', { name: /^Broad reach/ }).click();
  await expect(card.getByText('At $4.00 you win 31% of the matching requests.')).toBeVisible();
  await card.getByRole('textbox', { name: 'CPM bid' }).fill('2.40');
  await expect(card.getByText('At $2.40 you win 31% of the matching requests.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'New ad set' }).click();
  await expect(forecast).toHaveCount(1);
  await expect(
    forecast.getByText(/^Choose a target, creative groups and a bid strategy, and enter a CPM bid/),
  ).toBeVisible();
  expect(errors).toEqual([]);
});

test('the basis of a forecast is not shown for another goal while its forecast loads', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeAdset(company, await makeAdsetParts(company));
  const value = {
    source: 'learned',
    install_price: 2,
    per_install: 0.125,
    conversions: 80,
    needed: 50,
    expected_error_percent: 11,
    revenue_sources: [],
  };
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/adset/forecast', async (route) => {
    const { goal_event: event } = route.request().postDataJSON() as { goal_event: string | null };
    if (event === 'level') await answered;
    await route.fulfill({ json: { data: { ...forecastAt(4), value } } });
  });
  await signIn(page, server, company);
  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await page.getByRole('radio', { name: /^Target CPA/ }).check();
  await page.getByRole('textbox', { name: 'Target CPA' }).fill('12.5');
  const event = page.getByRole('combobox', { name: 'Goal event' });
  await event.fill('purchase');
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast).toContainText('12.5 people with “purchase” per 100 installs');
  await event.fill('level');
  await expect(forecast.locator('[data-stale]')).toBeVisible();
  await expect(forecast).not.toContainText('people with');
  answer();
  await expect(forecast).toContainText('12.5 people with “level” per 100 installs');
});

test('an ad set of a re-engagement campaign has its only bid strategy, no price of installs, and is warned of an empty audience', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  const campaign = { name: 'Come back', app_uuid: parts.app.uuid, kind: 're_engagement' };
  const { uuid } = await company.api.send('POST', '/campaign', campaign, Made);
  const audience = await company.api.send('POST', '/audience', { name: 'Lapsed' }, Made);
  await page.route('**/adset/forecast', async (route) => {
    const { campaign_kind: kind } = route.request().postDataJSON() as { campaign_kind: string };
    const forecast = forecastAt(4);
    const installs = kind === 're_engagement' ? null : forecast.day.installs;
    await route.fulfill({
      json: { data: { ...forecast, day: { ...forecast.day, installs }, what_if: null } },
    });
  });
  await signIn(page, server, company);
  await page.goto(`${server.url}/adset?campaign_uuid=${uuid}`);
  const strategies = page.getByRole('radiogroup', { name: 'Bid strategy' });
  await expect(strategies.getByRole('radio', { name: 'Manual CPM' })).toBeChecked();
  await expect(strategies.getByRole('radio')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Target CPI' })).toBeHidden();
  await page.getByRole('combobox', { name: 'Include people in one of' }).click();
  await page.getByRole('option', { name: 'Lapsed (0)' }).click();
  await expect(page.getByText('This audience has no people yet.')).toBeVisible();

  const adset = await makeAdset(company, parts, { audience_include: [[audience.uuid]] });
  await company.api.send('PUT', `/campaign/${uuid}`, { ...campaign, adset_uuids: [adset.uuid] }, Made);
  await page.goto(`${server.url}/adset/edit?uuid=${adset.uuid}`);
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast.getByText('Re-attributions')).toBeVisible();
  await expect(forecast.getByText('Not forecast', { exact: true })).toBeVisible();
  await expect(forecast.getByText('Installs')).toBeHidden();
});

test('on a phone the forecast comes before the button that saves, and the button of a row stays in its line', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { company } = await signInWithCampaign(page, server);
  const { adsets } = await company.api.get(
    '/adset',
    z.object({ adsets: z.array(z.object({ uuid: z.uuid() })) }),
  );
  await page.goto(`${server.url}/adset/edit?uuid=${adsets[0]!.uuid}`);
  const topOf = async (locator: Locator) => (await locator.boundingBox())!.y;
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast).toBeVisible();
  expect(await topOf(forecast)).toBeLessThan(await topOf(page.getByRole('button', { name: 'Save ad set' })));
  await page.getByRole('button', { name: 'Add a frequency cap' }).click();
  const caps = page.getByRole('group', { name: 'Frequency caps' });
  const first = (await caps.getByRole('textbox', { name: 'Cap 1: impressions' }).boundingBox())!;
  const unit = (await caps.getByRole('combobox', { name: 'Cap 1: unit' }).boundingBox())!;
  const remove = (await caps.getByRole('button', { name: 'Remove cap 1' }).boundingBox())!;
  expect(remove.y).toBeLessThan(unit.y + unit.height);
  expect(remove.x).toBeGreaterThan(first.x + first.width);
});

import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { approveAndFund, freshCompany, makeAdsetParts, makeCampaign } from './support/company.ts';
import { offer } from './support/exchange.ts';
import { signIn } from './support/session.ts';
import { errorsOf } from './support/page-errors.ts';
import { test } from './support/test.ts';

const FLOOR = 0.5;

/** Sends some bid requests: a finding needs twenty. */
async function offerSome(url: string, path: string): Promise<void> {
  for (let sent = 0; sent < 10; sent += 1) await offer(url, path, `request-${Math.random()}`);
}

test('a campaign that cannot bid says why, and the button opens the change filled in', async ({
  page,
  ownServer: { server },
}) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  const { uuid } = await makeCampaign(company, parts, 'Spring launch');
  await approveAndFund(server, company);
  const adset = z.object({ adsets: z.array(z.object({ uuid: z.uuid() })) });
  const { adsets } = await company.api.get('/adset', adset);
  // Below the floor of all requests.
  await company.api.send('PUT', `/adset/${adsets[0]!.uuid}`, { bet_cpm: FLOOR / 2 }, z.object({}));
  await company.api.send('POST', `/campaign/${uuid}/start`, undefined, z.object({}));
  const { path } = await server.operator<{ path: string }>('PUT', '/ssps/floors', { name: 'Floors' });
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Delivery of Spring launch' }).click();
  await expect(page.getByRole('heading', { name: 'Delivery of Spring launch' })).toBeVisible();
  const findings = page.getByRole('region', { name: 'Findings' });
  await expect(async () => {
    await offerSome(server.url, path);
    await expect(
      findings.getByText(/^The bid of \$0\.25 of “Broad reach” is below the floor of/),
    ).toBeVisible({ timeout: 5000 });
  }).toPass();
  await expect(page.getByText('Below the floor', { exact: true })).toBeVisible();
  await expect(page.getByText('Bid requests seen')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show a request: Below the floor' }).click();
  const request = page.getByRole('dialog', { name: 'A request that was lost: Below the floor' });
  await expect(request.getByText('"bidfloor": 0.5')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(request).toBeHidden();
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'Expand Spring launch' }).click();
  await page.getByRole('button', { name: 'What limits Broad reach' }).click();
  const hint = page.getByRole('dialog');
  await expect(hint.getByText(/^The bid of \$0\.25 of “Broad reach” is below the floor of/)).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await hint.getByRole('link', { name: 'Delivery of the campaign' }).click();

  // The company's delivery is two clicks from the campaigns.
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Delivery', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Delivery of all campaigns' })).toBeVisible();
  await expect(
    findings.getByText(/^The bid of \$0\.25 of “Broad reach” is below the floor of/),
  ).toBeVisible();
  await expect(page.getByText('Below the floor', { exact: true })).toBeVisible();
  await expect(page.getByText('A request counts once for each ad set that was active.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await findings.getByRole('link', { name: 'Spring launch' }).click();
  await expect(page.getByRole('heading', { name: 'Delivery of Spring launch' })).toBeVisible();

  await findings.getByRole('link', { name: 'Set the bid to $0.50' }).click();
  await expect(page.getByRole('heading', { name: 'Broad reach' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'CPM bid' })).toHaveValue(/0\.50?$/);
  await page.getByRole('button', { name: 'Save ad set' }).click();
  const question = page.getByRole('dialog', { name: 'Is this bid correct?' });
  await expect(question).toContainText('rises by 100%, from $0.25 to $0.50');
  await question.getByRole('button', { name: 'Save this bid' }).click();
  await expect(page.getByText('Ad set saved')).toBeVisible();
  expect(errors).toEqual([]);
});

test('a target without the country of the requests is opened with that country added', async ({
  page,
  ownServer: { server },
}) => {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  const { uuid } = await makeCampaign(company, parts, 'Alps');
  await company.api.send('PUT', `/target/${parts.target.uuid}`, { location_include: ['AT'] }, z.object({}));
  await approveAndFund(server, company);
  await company.api.send('POST', `/campaign/${uuid}/start`, undefined, z.object({}));
  const { path } = await server.operator<{ path: string }>('PUT', '/ssps/countries', { name: 'Countries' });
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns/delivery?uuid=${uuid}`);
  const remedy = page.getByRole('link', { name: 'Add Germany' });
  await expect(async () => {
    await offerSome(server.url, path);
    await expect(remedy).toBeVisible({ timeout: 1000 });
  }).toPass();

  await remedy.click();
  await expect(page.getByRole('heading', { name: 'Everyone' })).toBeVisible();
  await page.getByRole('button', { name: 'Save target' }).click();
  await expect(page.getByText('Target saved')).toBeVisible();
  const saved = z.object({ location_include: z.array(z.string()) });
  expect(await company.api.get(`/target/${parts.target.uuid}`, saved)).toEqual({
    location_include: ['AT', 'DE'],
  });
});

import { type Page, expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  approveAndFund,
  freshCompany,
  freshExchange,
  makeAdset,
  makeAdsetParts,
  startCampaign,
} from './support/company.ts';
import { bidFor, clickAddress } from './support/exchange.ts';
import type { Server } from './support/server.ts';
import { test } from './support/test.ts';

const Made = z.object({ uuid: z.uuid() });

/** The address of a click of a new re-engagement campaign whose ad set has the deep link, on the device of a person who has the app. */
async function clickOf(server: Server, deepLink: string): Promise<string> {
  const { slug, path } = await freshExchange(server, 'Shop');
  const company = await freshCompany(server);
  const { api } = company;
  const parts = await makeAdsetParts(company, { exchanges: [slug] });
  const ifa = randomUUID();
  const audience = await api.send('POST', '/audience', { name: 'Have the app' }, Made);
  await api.send('POST', `/audience/${audience.uuid}/ids`, { mode: 'add', ids: [ifa] }, z.object({}));
  const adset = await makeAdset(company, parts, { audience_include: [[audience.uuid]], deep_link: deepLink });
  const campaign = {
    name: 'Come back',
    kind: 're_engagement',
    app_uuid: parts.app.uuid,
    adset_uuids: [adset.uuid],
  };
  const { uuid } = await api.send('POST', '/campaign', campaign, Made);
  await approveAndFund(server, company);
  await startCampaign(company, uuid);
  return clickAddress(await bidFor(server.url, path, 'returning', {}, { ifa }));
}

/** What the page asks the browser to open, also where no program of this machine does. */
async function navigationsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const asked: string[] = [];
  session.on('Page.frameRequestedNavigation', ({ url }) => void asked.push(url));
  return asked;
}

const STORE = /^https:\/\/app\.appsflyer\.com\/com\.example\.pocketfarm\?pid=bidwell_int&clickid=[\w.-]+$/;

test('a click in a re-engagement campaign opens the screen of the app, and the store where the app does not open', async ({
  page,
  market: server,
}) => {
  const address = await clickOf(server, 'pocketfarm://offers/1?from={bundle}');
  await page.route('https://app.appsflyer.com/**', async (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Store</h1>' }),
  );
  const asked = await navigationsOf(page);
  // Time stands still unless a step lets it pass.
  await page.clock.install({ time: new Date('2026-11-30T10:00:00Z') });
  await page.clock.pauseAt(new Date('2026-11-30T10:00:01Z'));
  const open = async () => {
    // The browser waits for the app in place of the end of the page's loading.
    await page.goto(address, { waitUntil: 'commit' });
    await expect(page.getByText('Opening the app…')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to the store' })).toHaveAttribute('href', STORE);
  };

  await test.step('the app of Android is opened, and no other', async () => {
    await open();
    const opening =
      /^intent:\/\/offers\/1\?from=com\.publisher\.runner#Intent;scheme=pocketfarm;package=com\.example\.pocketfarm;/;
    await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', opening);
    await expect.poll(() => asked).toEqual([expect.stringMatching(opening)]);
  });

  await test.step('the page that is still shown goes to the store', async () => {
    await page.clock.fastForward(1500);
    await expect(page.getByRole('heading', { name: 'Store' })).toBeVisible();
    expect(page.url()).toMatch(STORE);
  });

  await test.step('the page that the app hides stays', async () => {
    await open();
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.fastForward(60_000);
    await expect(page.getByText('Opening the app…')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the store' }).click();
    await expect(page.getByRole('heading', { name: 'Store' })).toBeVisible();
  });
});

import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { approveAndFund, freshCompany, makeAdsetParts, makeCampaign } from '../support/company.ts';
import { type Bid, offer } from '../support/exchange.ts';
import type { Server } from '../support/server.ts';
import { test } from '../support/test.ts';

/** The exits to the store, by name; `store` is the address that the page itself would open. */
const exits: Record<string, string> = {
  'mraid.open': 'mraid.open(store)',
  'mraid.openStoreUrl': 'mraid.openStoreUrl()',
  'window.open': 'window.open(store)',
  link: '',
  location: 'window.location.href = store',
  'ExitApi.exit': 'ExitApi.exit()',
  'FbPlayableAd.onCTAClick': 'FbPlayableAd.onCTAClick()',
  'dapi.openStoreUrl': 'dapi.isReady() && dapi.openStoreUrl()',
  'window.install': 'window.install && window.install()',
  clickTag: 'self["open"](clickTag)',
};
/** Further spellings of a new location; the last can only be cancelled. */
const locations = [
  'location.assign(store)',
  'top.location = store',
  'window.top.location.href = store',
  "location = 'https://store.example/app'",
  'var l = window; l.location = store',
];

const codes = [
  ...Object.entries(exits),
  ...locations.map((code, index) => [`location ${index}`, code] as const),
];
const playable = `<!doctype html><html><head><script src="mraid.js"></script></head><body>
<a id="exit-link" href="https://store.example/app" onclick="mraid.open('https://store.example/app')">Install</a>
${codes.map(([name]) => `<button id="exit-${name}">${name}</button>`).join('')}
<script>
var store = 'https://store.example/app';
function on(name, exit) { document.querySelector('button[id="exit-' + name + '"]').onclick = exit; }
${codes.map(([name, code]) => `on(${JSON.stringify(name)}, function () { ${code} });`).join('\n')}
</script></body></html>`;

/** MRAID as an app's web view has it; what it opens is in `opened`. */
const container = `var opened = []; var mraid = {
  getState: function () { return 'default'; }, getVersion: function () { return '3.0'; },
  isViewable: function () { return true; }, addEventListener: function () {},
  open: function (url) { opened.push(url); }
};`;

/** Uploads the playable in a campaign that is running, and wins a bid for it. */
async function bidForPlayable(server: Server): Promise<Bid> {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  const form = new FormData();
  form.set('name', 'Try it');
  form.set('type', 'Playable');
  form.set('app_id', parts.app.uuid);
  form.set('playable', new Blob([playable]), 'try-it.html');
  const Uploaded = z.object({
    uuid: z.string(),
    internal_creative: z.object({ exits: z.array(z.string()) }),
  });
  const made = await company.api.send('POST', '/v2/internal_creative', form, Uploaded);
  expect(made.internal_creative.exits).toEqual(Object.keys(exits));
  const group = await company.api.send(
    'POST',
    '/creative_group',
    { name: 'Playables', playable_creatives: [made.uuid] },
    z.object({ uuid: z.uuid() }),
  );
  const { uuid } = await makeCampaign(company, { ...parts, group }, 'Try it');
  await approveAndFund(server, company);
  await company.api.send('POST', `/campaign/${uuid}/start`, undefined, z.object({}));
  const { path } = await server.operator<{ path: string }>('PUT', '/ssps/playables', { name: 'Playables' });
  let bid: Bid | null = null;
  await expect(async () => {
    bid = await offer(server.url, path, `play-${Math.random()}`, {}, { w: 320, h: 480, api: [5] });
    expect(bid).not.toBeNull();
  }).toPass();
  return bid!;
}

/**
 * Shows the markup in a web view with MRAID. Its page is on the server's host, because Chromium lets no others load from this machine.
 */
async function show(page: Page, address: string, { adm }: Bid): Promise<void> {
  await page.route(`${address}**`, (route) =>
    route.request().url().endsWith('mraid.js')
      ? route.fulfill({ contentType: 'text/javascript', body: container })
      : route.fulfill({ contentType: 'text/html', body: adm }),
  );
  await page.goto(address);
  await expect(page.getByRole('link', { name: 'Install' })).toBeVisible();
}

test('every exit of a playable leads to the store through the click URL, once', async ({
  page,
  ownServer: { server },
}) => {
  const bid = await bidForPlayable(server);
  const address = `${server.url}/web-view/`;
  for (const [name] of codes) {
    await test.step(name, async () => {
      await show(page, address, bid);
      const exit = name === 'link' ? page.locator('a') : page.locator(`button[id="exit-${name}"]`);
      await exit.click();
      await expect.poll(() => page.evaluate('opened.length')).toBe(1);
      expect(page.url()).toBe(address);
      const [clickUrl] = (await page.evaluate('opened')) as string[];
      const response = await fetch(clickUrl!, {
        redirect: 'manual',
        headers: { 'user-agent': 'Test phone' },
      });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toContain('https://app.appsflyer.com/com.example.pocketfarm');
    });
  }
});

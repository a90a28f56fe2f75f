import { type DemoUser, operatorApi } from '@bidwell/exchange/demo/api';
import { test as base } from '@playwright/test';
import { ensureExchange, equipDemoCompany } from '@bidwell/exchange/demo/company';
import { companyOf, type Company, freshCompany } from './company.ts';
import { screensOf, type Screen } from './screens.ts';
import { type OwnServer, type Server, freshAddress, startServer, operatorToken } from './server.ts';
import { emptyFolder, sharedMarket, sharedServer } from './shared-server.ts';

/**
 * All tests share `server`, which starts empty; each creates a company of its own. Companies compete in the same auctions,
 * so campaigns that buy are on `market`, each from an exchange of its own ({@link runningCampaign}). Tests that stop the server,
 * or change what all companies share, use `ownServer`.
 *
 * `demo` is a company with the demo's entities. Creating them takes seconds, so the tests of a worker share them, each with
 * a session of its own; tests that change an entity use a company of their own.
 */
export const test = base.extend<
  { ownServer: OwnServer; demo: DemoCompany },
  { server: Server; market: Server; demoUser: DemoUser }
>({
  // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': freshAddress() }),
  page: async ({ page }, use) => {
    await use(page);
    // A call that a test answers in place of the server may be under way, and has no page to answer any more.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
    async ({}, use) => use(sharedServer()),
    { scope: 'worker' },
  ],
  market: [
    // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
    async ({}, use) => use(sharedMarket()),
    { scope: 'worker' },
  ],
  ownServer: [
    // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
    async ({}, use) => {
      const own = await startServer('serve', {}, emptyFolder());
      await use(own);
      await own.stop();
    },
    { timeout: 600_000 },
  ],
  demoUser: [
    async ({ server }, use) => use((await demoCompany(server)).user),
    { scope: 'worker', timeout: 600_000 },
  ],
  demo: async ({ server, demoUser }, use) => {
    const company = await companyOf(server, demoUser);
    await use({ ...company, screens: await screensOf(company.api) });
  },
});

/** A company with the demo's entities, and all screens that it can open. */
interface DemoCompany extends Company {
  screens: readonly Screen[];
}

/** Registers a new company with the demo's entities. */
export async function demoCompany(server: Server): Promise<Company> {
  const company = await freshCompany(server);
  const operator = operatorApi(server.url, operatorToken);
  await ensureExchange(operator);
  await equipDemoCompany({ api: company.api, operator, url: server.url }, company.companyUuid);
  return company;
}

import { type Page, expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Company, freshCompany, makeAdsetParts, makeCampaign } from './support/company.ts';
import { logInAsOperator } from './support/operator.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

/** Every parameter of an address that names an entity, and the kind of the entity. */
const addresses = [
  ['/campaigns?app=', 'app'],
  ['/campaigns/create?draft=', 'draft'],
  ['/campaigns/edit?uuid=', 'campaign'],
  ['/campaigns/delivery?uuid=', 'campaign'],
  ['/adset?campaign_uuid=', 'campaign'],
  ['/adset/edit?uuid=', 'adset'],
  ['/edit-app?uuid=', 'app'],
  ['/assets?app=', 'app'],
  ['/assets?tab=creatives&creative=', 'creative'],
  ['/creative-groups?app=', 'app'],
  ['/creative-groups/edit?uuid=', 'group'],
  ['/creatives?app=', 'app'],
  ['/creatives?creative=', 'creative'],
  ['/creatives/add-creative?app=', 'app'],
  ['/reports?campaign_uuid=', 'campaign'],
  ['/reports/cohorts?campaign_uuid=', 'campaign'],
  ['/reports/scheduled?campaign_uuid=', 'campaign'],
  ['/reports/skadnetwork?app=', 'app'],
  ['/targets?app=', 'app'],
  ['/targets/edit?uuid=', 'target'],
  ['/tracking-links?app=', 'app'],
  ['/tracking-links/edit?uuid=', 'link'],
] as const;
type Kind = (typeof addresses)[number][1];

const Made = z.object({ uuid: z.uuid() });

/** One entity of each kind, in a company. */
async function makeEntities(company: Company): Promise<Record<Kind, string>> {
  const parts = await makeAdsetParts(company);
  const campaign = await makeCampaign(company, parts, 'Spring launch');
  const { adsets } = await company.api.get('/adset', z.object({ adsets: z.array(Made) }));
  const Creatives = z.object({ internal_creatives: z.array(Made) });
  const { internal_creatives: creatives } = await company.api.get('/internal_creative', Creatives);
  const draft = await company.api.send('POST', '/campaign_draft', { values: { title: 'Half' } }, Made);
  return {
    app: parts.app.uuid,
    target: parts.target.uuid,
    link: parts.link.uuid,
    group: parts.group.uuid,
    campaign: campaign.uuid,
    adset: adsets[0]!.uuid,
    creative: creatives[0]!.uuid,
    draft: draft.uuid,
  };
}

const DELETED: ReadonlySet<Kind> = new Set(['draft', 'campaign', 'adset', 'target', 'link']);

/** Deletes the entities of {@link DELETED} for good. */
async function deleteEntities({ api }: Company, of: Record<Kind, string>): Promise<void> {
  await api.send('DELETE', `/campaign_draft/${of.draft}`, undefined, z.unknown());
  for (const path of [
    `campaign/${of.campaign}`,
    `adset/${of.adset}`,
    `target/${of.target}`,
    `tracking_link/${of.link}`,
  ]) {
    await api.send('POST', `/${path}/archive`, undefined, z.unknown());
    await api.send('DELETE', `/${path}`, undefined, z.unknown());
  }
}

/** Opens an address in the page that is open, as its links do. */
const go = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path);

const notFound = (page: Page) => page.getByRole('heading', { name: 'Oops! Page not found' });

/** Opens addresses that lead nowhere, and an existing one between them: the page shows the present address. */
async function expectNotFound(page: Page, known: string, broken: readonly string[]): Promise<void> {
  for (const address of broken) {
    await test.step(address, async () => {
      await go(page, known);
      await expect(notFound(page)).toHaveCount(0);
      await go(page, address);
      await expect.soft(notFound(page), address).toBeVisible({ timeout: 15_000 });
    });
  }
}

test('an address of an entity that does not exist is not found, whatever the screen', async ({
  page,
  server,
}) => {
  const [company, other] = await Promise.all([freshCompany(server), freshCompany(server)]);
  const own = await makeEntities(company);
  const foreign = await makeEntities(other);
  await signIn(page, server, company);
  await page.goto(`${server.url}/alerts`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [path, kind] of addresses) {
    await go(page, path + own[kind]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expect.soft(notFound(page), path + own[kind]).toHaveCount(0);
  }
  await expectNotFound(
    page,
    '/alerts',
    addresses.flatMap(([path, kind]) =>
      ['nonsense', '', '42', randomUUID(), foreign[kind]].map((id) => path + id),
    ),
  );
  await deleteEntities(company, own);
  await page.reload();
  await expectNotFound(
    page,
    '/alerts',
    addresses.flatMap(([path, kind]) => (DELETED.has(kind) ? [path + own[kind]] : [])),
  );
});

test('an address of a company that does not exist is not found in the operator console', async ({
  page,
  server,
}) => {
  const { companyUuid } = await freshCompany(server);
  await logInAsOperator(page, server);
  const paths = [
    (id: string) => `/operator/companies/${id}`,
    (id: string) => `/operator/companies/${id}/statement`,
    (id: string) => `/operator/review?company=${id}`,
  ];
  for (const path of paths) {
    await go(page, path(companyUuid));
    await expect(notFound(page)).toHaveCount(0);
  }
  await expectNotFound(
    page,
    '/operator/log',
    ['nonsense', '42', randomUUID()].flatMap((id) => paths.map((path) => path(id))),
  );
});

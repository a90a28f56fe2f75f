import type { Api } from '@bidwell/exchange/demo/api';
import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import type { Server } from './server.ts';
import { settled, watchRequests } from './settled.ts';

/** A screen's path and the name of its screenshot. */
export interface Screen {
  name: string;
  path: string;
}

/** A part further down on a screen, which a group of fields or a table is. */
export interface Section extends Screen {
  /** Its accessible name. */
  part: string;
}

/** A dialog, its screen, and how to open it there; what it shows may still load. */
export interface Dialog extends Screen {
  open(page: Page): Promise<void>;
}

const button =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await waitUntilOpen(page);
  };

/** What a dialog, a menu or a list shows. */
const opened = (page: Page) =>
  page.getByRole('dialog').or(page.getByRole('menu')).or(page.getByRole('listbox')).filter({ visible: true });

/** Waits for an opened dialog, menu or list. */
const waitUntilOpen = (page: Page) => opened(page).first().waitFor();

/** Opens a dialog on its screen, and waits for its form and for its requests. */
export async function openDialog(page: Page, { open }: Dialog): Promise<void> {
  await open(page);
  await expect(opened(page).getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await settled(page);
}

/** Closes what {@link openDialog} has opened, so that another dialog of the screen can be opened. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(opened(page)).toHaveCount(0);
}

async function openBulkEdit(page: Page): Promise<void> {
  const adsets = page.getByRole('checkbox', { name: /^Select [^a]/ });
  await adsets.nth(0).check();
  await adsets.nth(1).check();
  await button('Edit…')(page);
}

/** Opens what a list's menu offers for its first audience that has files. */
const ofAudience =
  (item: string) =>
  async (page: Page): Promise<void> => {
    const row = page.getByRole('row').filter({ has: page.getByText('List', { exact: true }) });
    await row
      .first()
      .getByRole('button', { name: /^More about/ })
      .click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
  };

/** All dialogs of the console that a click opens. The next one of the same screen follows where Escape closes the first. */
export const dialogs: readonly Dialog[] = [
  { name: 'dialog-date-range', path: '/campaigns', open: button(/Last 7 Days/) },
  { name: 'dialog-notifications', path: '/campaigns', open: button(/^Notifications/) },
  { name: 'dialog-user-menu', path: '/campaigns', open: button(/account|user menu|Demo/i) },
  {
    name: 'dialog-command-palette',
    path: '/campaigns',
    async open(page) {
      await page.keyboard.press('Control+k');
      await waitUntilOpen(page);
    },
  },
  { name: 'dialog-columns', path: '/campaigns', open: button('Columns') },
  {
    name: 'dialog-inline-price',
    path: '/campaigns',
    async open(page) {
      await page
        .getByRole('button', { name: /^Expand / })
        .first()
        .click();
      await button(/^Edit daily budget/i)(page);
    },
  },
  {
    name: 'dialog-bulk-edit',
    path: '/campaigns?depth=adset',
    open: openBulkEdit,
  },
  {
    name: 'dialog-bulk-preview',
    path: '/campaigns?depth=adset',
    async open(page) {
      await openBulkEdit(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('CPM bid', { exact: true }).selectOption('Raise by percent');
      await dialog.getByLabel('CPM bid, percent').fill('60');
      await dialog.getByRole('button', { name: 'Preview changes' }).click();
      await dialog.getByRole('table', { name: 'Changes' }).waitFor();
    },
  },
  {
    name: 'dialog-bulk-copy',
    path: '/campaigns?depth=adset',
    async open(page) {
      await openBulkEdit(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Copy settings of an ad set' }).click();
      await dialog.getByRole('combobox', { name: 'Ad set', exact: true }).click();
      // It has hours, multipliers and bids by country in the demo.
      await page.getByRole('option', { name: /welcome offer/ }).click();
      for (const box of await dialog.getByRole('checkbox').all()) await box.check();
      await dialog.getByRole('button', { name: 'Preview changes' }).click();
      await dialog.getByRole('table', { name: 'Changes' }).waitFor();
    },
  },
  { name: 'dialog-bundles', path: '/adset', open: button(/blocklist/i) },
  { name: 'drawer-target', path: '/adset', open: button('New target') },
  { name: 'drawer-tracking-link', path: '/adset', open: button('New tracking link') },
  { name: 'drawer-creatives', path: '/adset', open: button('Upload other creatives') },
  { name: 'drawer-creative-group', path: '/adset', open: button('New group of uploaded creatives') },
  { name: 'drawer-app', path: '/campaigns/create', open: button('Add an app') },
  { name: 'dialog-api-key', path: '/profile?tab=api', open: button(/new key/i) },
  { name: 'dialog-report-schedule', path: '/reports', open: button(/^schedule$/i) },
  { name: 'dialog-report-destination', path: '/reports/scheduled', open: button(/add destination/i) },
  { name: 'dialog-alert-rule', path: '/alerts', open: button(/add rule/i) },
  { name: 'dialog-alert-channel', path: '/alerts', open: button(/add channel/i) },
  { name: 'dialog-top-up', path: '/finances', open: button(/top up/i) },
  { name: 'dialog-billing-details', path: '/finances?view=invoices', open: button(/billing details/i) },
  { name: 'dialog-audience', path: '/assets?tab=audiences', open: button('Add audience') },
  { name: 'dialog-audience-details', path: '/assets?tab=audiences', open: ofAudience('Details') },
  { name: 'dialog-audience-upload', path: '/assets?tab=audiences', open: ofAudience('Upload a file') },
  { name: 'dialog-audience-change', path: '/assets?tab=audiences', open: ofAudience('Change') },
  { name: 'dialog-audience-delete', path: '/assets?tab=audiences', open: ofAudience('Delete') },
  { name: 'dialog-inline-edit', path: '/assets?tab=targets', open: button(/^Edit (title|description)/i) },
  {
    name: 'dialog-delete-apps',
    path: '/assets?tab=apps',
    async open(page) {
      await page
        .getByRole('checkbox', { name: /^Select [^a]/ })
        .first()
        .check();
      await button(/^Delete/)(page);
    },
  },
  { name: 'dialog-filters', path: '/reports', open: button(/filter/i) },
  { name: 'dialog-export', path: '/reports', open: button(/^Export/) },
  { name: 'dialog-import-creatives', path: '/creatives', open: button(/import/i) },
  { name: 'dialog-views', path: '/reports', open: button('Views') },
  {
    name: 'dialog-creative',
    path: '/creatives',
    async open(page) {
      await page
        .getByRole('button', { name: /^Preview / })
        .first()
        .waitFor();
      // A wide window shows the first creative next to the list; a narrow one the creative that is chosen.
      if (!(await page.getByRole('button', { name: 'Edit creative' }).isVisible()))
        await button(/^Preview /)(page);
      await button('Edit creative')(page);
    },
  },
  { name: 'dialog-levels', path: '/reports', open: button(/^Levels/) },
  { name: 'dialog-countries', path: '/targets/edit', open: button(/countries/i) },
  {
    name: 'dialog-leave',
    path: '/targets/edit',
    async open(page) {
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Half a target');
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('link', { name: 'Reports' }).click();
      await waitUntilOpen(page);
    },
  },
];

/** The screens that open without a login. */
export const publicScreens: readonly Screen[] = [
  { name: 'login', path: '/login' },
  { name: 'registration', path: '/registration' },
  { name: 'password-reset', path: '/password-reset' },
  { name: 'invitation', path: '/invitation' },
  { name: 'sso', path: '/sso' },
  { name: 'operator-login', path: '/operator/login' },
];

const Listed = z.record(z.string(), z.array(z.object({ uuid: z.uuid() })));

/** All screens of the console, for a company with at least one entity of each kind. */
export async function screensOf(api: Api): Promise<Screen[]> {
  const first = async (path: string, list: string) => (await api.get(path, Listed))[list]![0]!.uuid;
  const Campaigns = z.object({
    campaigns: z.array(z.object({ uuid: z.uuid(), name: z.string(), status: z.string() })),
  });
  const { campaigns } = await api.get('/campaign', Campaigns);
  // The oldest has the most to show.
  const running = (campaigns.findLast(({ status }) => status === 'Active') ?? campaigns[0]!).uuid;
  // An ad set of it has frequency caps in the demo.
  const capped = campaigns.find(({ name }) => name.endsWith('players who pay'))?.uuid ?? running;
  const Apps = z.object({ apps: z.array(z.object({ uuid: z.uuid(), os: z.string() })) });
  const iosApp = (await api.get('/app', Apps)).apps.find(({ os }) => os === 'ios');
  const returning = campaigns.find(({ name }) => name.endsWith('come back'))?.uuid ?? running;
  const scheduled = campaigns.find(({ name }) => name.endsWith('welcome offer'))?.uuid ?? running;
  const [app, adset, campaign, group, target, link] = await Promise.all([
    first('/app', 'apps'),
    first('/adset', 'adsets'),
    first('/campaign', 'campaigns'),
    first('/internal_creative_group', 'internal_creative_groups'),
    first('/target', 'targets'),
    first('/tracking_link', 'tracking_links'),
  ]);
  return [
    { name: 'campaigns', path: '/campaigns' },
    { name: 'campaigns-adsets', path: '/campaigns?depth=adset' },
    { name: 'campaigns-creatives', path: '/campaigns?depth=creative' },
    { name: 'campaign-create', path: '/campaigns/create' },
    { name: 'campaign-drafts', path: '/campaigns/drafts' },
    { name: 'campaign-approvals', path: '/campaigns/approvals' },
    { name: 'campaign-edit', path: `/campaigns/edit?uuid=${campaign}` },
    { name: 'campaign-edit-hours', path: `/campaigns/edit?uuid=${scheduled}` },
    { name: 'campaign-edit-returning', path: `/campaigns/edit?uuid=${returning}` },
    { name: 'delivery', path: `/campaigns/delivery?uuid=${campaign}` },
    { name: 'delivery-company', path: '/campaigns/delivery' },
    { name: 'delivery-running', path: `/campaigns/delivery?uuid=${running}` },
    { name: 'campaign-bundles', path: `/campaigns/delivery?uuid=${running}&tab=bundles` },
    { name: 'campaign-creatives', path: `/campaigns/delivery?uuid=${running}&tab=creatives` },
    { name: 'campaign-changes', path: `/campaigns/delivery?uuid=${running}&tab=changes` },
    { name: 'campaign-measurement', path: `/campaigns/delivery?uuid=${running}&tab=measurement` },
    { name: 'campaign-bids', path: `/campaigns/delivery?uuid=${running}&tab=bids` },
    { name: 'campaign-prices', path: `/campaigns/delivery?uuid=${running}&tab=prices` },
    { name: 'campaign-reach', path: `/campaigns/delivery?uuid=${capped}&tab=reach` },
    { name: 'campaign-reach-returning', path: `/campaigns/delivery?uuid=${returning}&tab=reach` },
    { name: 'app-add', path: '/add-app' },
    { name: 'app-edit', path: `/edit-app?uuid=${app}` },
    ...(iosApp ? [{ name: 'app-edit-ios', path: `/edit-app?uuid=${iosApp.uuid}` }] : []),
    { name: 'adset-create', path: '/adset' },
    { name: 'adset-edit', path: `/adset/edit?uuid=${adset}` },
    { name: 'assets-apps', path: '/assets?tab=apps' },
    { name: 'assets-creative-groups', path: '/assets?tab=creative-groups' },
    { name: 'assets-creatives', path: '/assets?tab=creatives' },
    { name: 'assets-targets', path: '/assets?tab=targets' },
    { name: 'assets-audiences', path: '/assets?tab=audiences' },
    { name: 'assets-tracking-links', path: '/assets?tab=tracking-links' },
    { name: 'creative-groups', path: '/creative-groups' },
    { name: 'creative-group-edit', path: `/creative-groups/edit?uuid=${group}` },
    { name: 'creatives', path: '/creatives' },
    { name: 'creative-add', path: '/creatives/add-creative' },
    { name: 'finances', path: '/finances' },
    { name: 'finances-day', path: '/finances?view=day' },
    { name: 'finances-campaign', path: '/finances?view=campaign' },
    { name: 'finances-reconcile', path: '/finances?view=reconcile' },
    { name: 'finances-invoices', path: '/finances?view=invoices' },
    { name: 'profile', path: '/profile' },
    { name: 'profile-sign-in', path: '/profile?tab=sign-in' },
    { name: 'profile-company', path: '/profile?tab=company' },
    { name: 'profile-people', path: '/profile?tab=people' },
    { name: 'profile-api', path: '/profile?tab=api' },
    { name: 'alerts', path: '/alerts' },
    { name: 'companies', path: '/companies' },
    { name: 'reports-campaign', path: `/reports?campaign_uuid=${running}` },
    { name: 'reports-bundle', path: '/reports?mode=Bundle' },
    {
      name: 'reports-returning',
      path: '/reports?campaign_kind=re_engagement',
    },
    { name: 'reports-cohorts', path: '/reports/cohorts' },
    { name: 'reports-scheduled', path: '/reports/scheduled' },
    { name: 'reports-skadnetwork', path: '/reports/skadnetwork' },
    { name: 'reports-cohorts-country', path: '/reports/cohorts?by=country&metric=retention' },
    { name: 'targets', path: '/targets' },
    { name: 'target-edit', path: `/targets/edit?uuid=${target}` },
    { name: 'tracking-links', path: '/tracking-links' },
    { name: 'tracking-link-edit', path: `/tracking-links/edit?uuid=${link}` },
    { name: 'changes', path: '/changes' },
    { name: 'not-found', path: '/no/such/page' },
  ];
}

/** Parts of forms further down, for the demo's company. */
export async function sectionsOf(api: Api): Promise<Section[]> {
  const Campaigns = z.object({
    campaigns: z.array(
      z.object({ uuid: z.uuid(), name: z.string(), adsets: z.array(z.object({ uuid: z.uuid() })) }),
    ),
  });
  const { campaigns } = await api.get('/campaign', Campaigns);
  const named = (name: string) => campaigns.find((campaign) => campaign.name.endsWith(name))!;
  const scheduled = `/adset/edit?uuid=${named('welcome offer').adsets[0]!.uuid}`;
  const returning = `/adset/edit?uuid=${named('come back').adsets[0]!.uuid}`;
  return [
    { name: 'section-countries', path: scheduled, part: 'Bids and budgets by country' },
    { name: 'section-multipliers', path: scheduled, part: 'Bid multipliers' },
    { name: 'section-hours', path: scheduled, part: 'Hours' },
    { name: 'section-deep-link', path: returning, part: 'Targeting and creatives' },
    { name: 'section-caps', path: returning, part: 'Frequency caps' },
    { name: 'section-returning-bids', path: returning, part: 'Bids and budgets' },
  ];
}

/** The screens of the operator console, for a server with at least one company and one exchange. */
export async function operatorScreens({ operator }: Server): Promise<Screen[]> {
  const { companies } = await operator<{ companies: { uuid: string }[] }>('GET', '/companies');
  const { ssps } = await operator<{ ssps: { slug: string; profile: string }[] }>('GET', '/ssps');
  const reviewing = ssps.find(({ profile }) => profile === 'xandr');
  const exchange = `/operator/exchanges/${ssps[0]!.slug}`;
  return [
    { name: 'operator-review', path: '/operator/review' },
    { name: 'operator-companies', path: '/operator/companies' },
    { name: 'operator-company', path: `/operator/companies/${companies[0]!.uuid}` },
    { name: 'operator-statement', path: `/operator/companies/${companies[0]!.uuid}/statement` },
    { name: 'operator-money', path: '/operator/money' },
    { name: 'operator-exchanges', path: '/operator/exchanges' },
    { name: 'operator-exchange', path: exchange },
    { name: 'operator-exchange-settings', path: `${exchange}?tab=settings` },
    { name: 'operator-exchange-test', path: `${exchange}?tab=test` },
    ...(reviewing
      ? [
          {
            name: 'operator-exchange-creatives',
            path: `/operator/exchanges/${reviewing.slug}?tab=creatives`,
          },
        ]
      : []),
    { name: 'operator-exchange-prices', path: `${exchange}?tab=prices` },
    { name: 'operator-skadnetwork', path: '/operator/skadnetwork' },
    { name: 'operator-partners', path: '/operator/partners' },
    { name: 'operator-health', path: '/operator/health' },
    { name: 'operator-brand', path: '/operator/brand' },
    { name: 'operator-operators', path: '/operator/operators' },
    { name: 'operator-log', path: '/operator/log' },
    { name: 'operator-account', path: '/operator/account' },
  ];
}

/** What a click opens in the operator console, for a server with at least one exchange. */
export async function operatorDialogs({ operator }: Server): Promise<Dialog[]> {
  const { ssps } = await operator<{ ssps: { slug: string }[] }>('GET', '/ssps');
  return [
    { name: 'operator-dialog-add-exchange', path: '/operator/exchanges', open: button('Add exchange') },
    { name: 'operator-dialog-add-network', path: '/operator/skadnetwork', open: button('Add ad network') },
    { name: 'operator-dialog-add-operator', path: '/operator/operators', open: button('Add operator') },
    {
      name: 'operator-exchange-tested',
      path: `/operator/exchanges/${ssps[0]!.slug}?tab=test`,
      async open(page) {
        // The demo has an ad set for iOS in the United States.
        const box = page.getByRole('textbox', { name: 'Bid request' });
        await box.fill((await box.inputValue()).replace('"os": "Android"', '"os": "iOS"'));
        await page.getByRole('button', { name: 'Test', exact: true }).click();
        await page.getByRole('table', { name: 'What was read' }).waitFor();
      },
    },
  ];
}

/** Opens a screen and waits until its heading is visible and its requests are answered. */
export async function visit(page: Page, server: Server, { path }: Screen): Promise<void> {
  watchRequests(page);
  await page.goto(server.url + path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await settled(page);
}

/** Opens a screen as {@link visit} does, and scrolls to a part of it. */
export async function visitSection(page: Page, server: Server, section: Section): Promise<void> {
  await visit(page, server, section);
  const part = page.getByRole('group', { name: section.part, exact: true }).first();
  // Below the header of the console.
  await part.evaluate((element) => {
    element.scrollIntoView({ block: 'start' });
    scrollBy(0, -80);
  });
  await settled(page);
}

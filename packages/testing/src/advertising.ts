import type { ModerationStatus } from '@bidwell/contract/apps/schema';
import { v7 as uuidv7 } from 'uuid';
import type { TestApp, TestCompany } from './test-app.ts';

/** A body for POST /app, with a unique store link. */
export function appBody(over: Record<string, unknown> = {}) {
  const bundle = `com.example.app${uuidv7().replaceAll('-', '')}`;
  return {
    name: 'Puzzle Quest',
    os: 'android',
    store_link: `https://play.google.com/store/apps/details?id=${bundle}`,
    bundle_id: bundle,
    mobile_measurement_partner: 'appsflyer',
    iab_category: 'IAB9-30',
    advertiser_domain: 'example.com',
    ...over,
  };
}

let storeItems = 700_000_000;

/** The number of an app in the App Store that no other test has. */
export const newStoreItem = () => (storeItems += 1);

/** The same for an app of the App Store with this number, a new one by default. Its bundle id is another, as of real apps. */
export function iosAppBody(itemId = newStoreItem(), over: Record<string, unknown> = {}) {
  return appBody({
    os: 'ios',
    store_link: `https://apps.apple.com/us/app/puzzle/id${itemId}`,
    bundle_id: `com.example.puzzle${itemId}`,
    ...over,
  });
}

export const linkBody = (appUuid: string, over: Record<string, unknown> = {}) => ({
  app_id: appUuid,
  name: 'Link',
  click_url: 'https://app.appsflyer.com/com.example?clickid={click_id}',
  view_url: 'https://impression.appsflyer.com/com.example?clickid={click_id}',
  ...over,
});

export const targetBody = (appUuid: string, over: Record<string, unknown> = {}) => ({
  app_id: appUuid,
  name: 'Everyone',
  ...over,
});

/** Creates an entity over HTTP and returns its uuid. Throws unless the status is 201. */
export async function make(company: Pick<TestCompany, 'call'>, path: string, body: object): Promise<string> {
  const response = await company.call('POST', path, body);
  if (response.status !== 201)
    throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.data)}`);
  return response.data.uuid;
}

/** Inserts a banner creative for the app: database rows only, without files. Returns its uuid. */
export async function makeBanner(
  { ctx: { db } }: Pick<TestApp, 'ctx'>,
  { companyId }: Pick<TestCompany, 'companyId'>,
  appUuid: string,
  status: ModerationStatus = 'Approved',
): Promise<string> {
  const owned = () => ({ uuid: uuidv7(), company_uuid: companyId });
  const asset = owned();
  const creative = owned();
  await db
    .insertInto('internal_creatives')
    .values({ ...asset, name: 'Banner', type: 'Banner', description: '', sponsor: '', title: '' })
    .execute();
  await db
    .insertInto('creatives')
    .values({ ...creative, app_uuid: appUuid, internal_creative_uuid: asset.uuid, status })
    .execute();
  return creative.uuid;
}

/** Inserts a creative group with one banner creative for the app: database rows only, without files. */
export async function makeGroup(
  app: TestApp,
  company: TestCompany,
  appUuid: string,
  status: ModerationStatus = 'Approved',
  name = 'Banners',
): Promise<string> {
  const { db } = app.ctx;
  const group = { uuid: uuidv7(), company_uuid: company.companyId };
  await db
    .insertInto('creative_groups')
    .values({
      ...group,
      name,
      description: '',
      native_title: '',
      native_description: '',
      native_sponsor: '',
    })
    .execute();
  await db
    .insertInto('creative_group_creatives')
    .values({
      creative_group_uuid: group.uuid,
      creative_uuid: await makeBanner(app, company, appUuid, status),
    })
    .execute();
  return group.uuid;
}

/** Creates an app and everything that an ad set refers to; returns the body for POST /adset. */
export async function makeAdsetParts(app: TestApp, company: TestCompany, advertised: object = appBody()) {
  const appUuid = await make(company, '/app', advertised);
  const targetUuid = await make(company, '/target', targetBody(appUuid));
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid));
  const groupUuid = await makeGroup(app, company, appUuid);
  const body = {
    name: 'First ad set',
    target_id: targetUuid,
    tracking_link_id: linkUuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  };
  return { appUuid, targetUuid, linkUuid, groupUuid, body };
}

/** Approves an app, as moderation would. */
export async function approveApp(app: TestApp, appUuid: string): Promise<void> {
  await app.ctx.db.updateTable('apps').set({ status: 'Approved' }).where('uuid', '=', appUuid).execute();
}

/** The change log of one entity, oldest first. */
export async function changesOf(app: TestApp, company: TestCompany, entityUuid: string) {
  return app.ctx.db
    .selectFrom('changes')
    .select(['action', 'entity_type', 'entity_name', 'author', 'fields'])
    .where('company_uuid', '=', company.companyId)
    .where('entity_uuid', '=', entityUuid)
    .orderBy('uuid')
    .execute();
}

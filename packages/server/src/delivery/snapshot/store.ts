import type { Os } from '@bidwell/contract/app';
import { redactSecrets } from '@bidwell/contract/postback';
import type { CreativeType } from '@bidwell/contract/creative';
import type { ChargeOn, SspInput } from '@bidwell/contract/operator';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { NativeTexts, SspTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { PriceRules } from '../model/price-rules.ts';
import type { AdsetRow, Creative, MediaFile } from '../model/candidate.ts';

type Reviewed = 'apps' | 'creatives' | 'tracking_links';

/** Whether the row has a version that may run: the current one, or an approved earlier one. */
function isApproved(table: Reviewed) {
  return sql<boolean>`(${sql.ref(`${table}.status`)} = 'Approved' or ${sql.ref(`${table}.approved`)} is not null)`;
}

/** A reviewed text, of the version that may run. `current` is the column of the current text, if in another table. */
function approvedText<Text extends string | null = string>(
  table: Reviewed,
  column: string,
  current = `${table}.${column}`,
) {
  const approved = sql.ref(`${table}.approved`);
  return sql<Text>`case when ${approved} is null then ${sql.ref(current)} else ${approved} ->> ${sql.lit(column)} end`;
}

/** An approved text of a creative group; '' when none was approved. */
function approvedGroupText(column: keyof NativeTexts) {
  return sql<string>`
    case when creative_groups.texts_status = 'Approved' then ${sql.ref(`creative_groups.${column}`)}
      else coalesce(creative_groups.approved ->> ${sql.lit(column)}, '') end`;
}

/**
 * Loads the ad sets that may bid, by company: active ad sets of active campaigns, with an approved app and tracking link,
 * nothing archived, of companies that are not suspended. Ad sets with the same app or creative share its object. Spans
 * companies, like everything the bidder reads; no company sees the result.
 */
export async function loadAdsets(db: Db, companyIds: readonly string[]): Promise<Map<string, AdsetRow[]>> {
  const rows = await db
    .selectFrom('adsets')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .innerJoin('companies', 'companies.uuid', 'adsets.company_uuid')
    .innerJoin('apps', 'apps.uuid', 'campaigns.app_uuid')
    .innerJoin('targets', 'targets.uuid', 'adsets.target_uuid')
    .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
    .select([
      'adsets.uuid as adsetId',
      'adsets.company_uuid as companyId',
      'companies.time_zone as timeZone',
      'companies.name as advertiserName',
      'campaigns.uuid as campaignId',
      'campaigns.name as campaignName',
      'campaigns.start_date as startDate',
      'campaigns.end_date as endDate',
      'apps.uuid as appId',
      approvedText('apps', 'name').as('appName'),
      approvedText<string | null>('apps', 'icon_link').as('iconLink'),
      'apps.rating',
      approvedText<Os>('apps', 'os').as('os'),
      approvedText('apps', 'bundle_id').as('bundleId'),
      'apps.iab_category as category',
      approvedText('apps', 'store_link').as('storeLink'),
      'apps.advertiser_domain as advertiserDomain',
      'tracking_links.click_url as clickUrl',
      'tracking_links.view_url as viewUrl',
      'companies.postback_secret as postbackSecret',
      'companies.postback_secret_previous as previousSecret',
      'adsets.algo as algorithm',
      'adsets.bet_cpm_micros as cpmMicros',
      'adsets.bet_cpi_micros as cpiMicros',
      'adsets.daily_budget_micros as dailyBudgetMicros',
      'adsets.all_budget_micros as totalBudgetMicros',
      'adsets.black_list_bundles as blackList',
      'adsets.white_list_bundles as whiteList',
      'adsets.bundle_bids as bundleCpmMicros',
      'targets.settings as target',
    ])
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    // A Target CPI ad set may lack its price when it was added to a running campaign.
    .where((eb) => eb.or([eb('adsets.algo', '<>', 'Target CPI'), eb('adsets.bet_cpi_micros', '>', 0)]))
    .where(isApproved('apps'))
    .where(isApproved('tracking_links'))
    .where('apps.deleted_at', 'is', null)
    .where('apps.archived_at', 'is', null)
    .where('adsets.archived_at', 'is', null)
    .where('campaigns.archived_at', 'is', null)
    .where('targets.archived_at', 'is', null)
    .where('tracking_links.archived_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .where('adsets.company_uuid', 'in', companyIds)
    .execute();
  const groups = await loadGroups(db, companyIds);
  const creatives = await loadCreatives(db, companyIds);
  const apps = new Map<string, AdsetRow['app']>();
  const byCompany = new Map<string, AdsetRow[]>();
  for (const {
    appId,
    appName,
    iconLink,
    rating,
    os,
    bundleId,
    category,
    storeLink,
    advertiserDomain,
    postbackSecret,
    previousSecret,
    ...row
  } of rows) {
    const known = apps.get(appId);
    const app = known ?? {
      uuid: appId,
      name: appName,
      os,
      bundle: bundleId,
      category,
      storeLink,
      advertiserDomain,
      iconLink,
      rating,
    };
    if (!known) apps.set(appId, app);
    listOf(byCompany, row.companyId).push({
      ...row,
      // Devices receive these URLs in the markup.
      clickUrl: redactSecrets(row.clickUrl, [postbackSecret, previousSecret ?? '']),
      viewUrl: redactSecrets(row.viewUrl, [postbackSecret, previousSecret ?? '']),
      app,
      creatives: (groups.get(row.adsetId) ?? []).flatMap((group) => creatives.get(keyOf(group, appId)) ?? []),
    });
  }
  return byCompany;
}

/** Ids of the creative groups of each ad set. */
async function loadGroups(db: Db, companyIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('adset_creative_groups')
    .innerJoin('adsets', 'adsets.uuid', 'adset_creative_groups.adset_uuid')
    .select(['adset_uuid as adsetId', 'creative_group_uuid as groupId'])
    .where('adsets.status', '=', 'Active')
    .where('adsets.company_uuid', 'in', companyIds)
    .execute();
  const byAdset = new Map<string, string[]>();
  for (const { adsetId, groupId } of rows) listOf(byAdset, adsetId).push(groupId);
  return byAdset;
}

/** Creatives that may be served, by group and app (see {@link keyOf}): a group may have creatives of several apps. */
async function loadCreatives(db: Db, companyIds: readonly string[]): Promise<Map<string, Creative[]>> {
  const rows = await db
    .selectFrom('creative_groups')
    .innerJoin(
      'creative_group_creatives',
      'creative_group_creatives.creative_group_uuid',
      'creative_groups.uuid',
    )
    .innerJoin('creatives', 'creatives.uuid', 'creative_group_creatives.creative_uuid')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .innerJoin('files', (join) =>
      join.on(
        'files.uuid',
        '=',
        // The banner file of a video is its end card.
        sql`coalesce(internal_creatives.video_file_uuid, internal_creatives.playable_file_uuid, ${runningBanner})`,
      ),
    )
    .leftJoin('files as end_cards', (join) =>
      join.on('end_cards.uuid', '=', runningBanner).on('internal_creatives.type', '=', 'Video'),
    )
    .select([
      'creatives.uuid',
      'creatives.app_uuid as appUuid',
      'creative_groups.uuid as groupUuid',
      'internal_creatives.type',
      approvedText('creatives', 'title', 'internal_creatives.title').as('title'),
      approvedText<string | null>('creatives', 'description', 'internal_creatives.description').as(
        'description',
      ),
      approvedText('creatives', 'sponsor', 'internal_creatives.sponsor').as('sponsor'),
      'internal_creatives.duration_ms as durationMs',
      approvedGroupText('native_title').as('groupTitle'),
      approvedGroupText('native_description').as('groupDescription'),
      approvedGroupText('native_sponsor').as('groupSponsor'),
      'files.uuid as fileUuid',
      'files.extension',
      'files.content_type as contentType',
      'files.width',
      'files.height',
      'files.size_bytes as bytes',
      'end_cards.uuid as endCardUuid',
      'end_cards.extension as endCardExtension',
      'end_cards.content_type as endCardContentType',
      'end_cards.width as endCardWidth',
      'end_cards.height as endCardHeight',
      'end_cards.size_bytes as endCardBytes',
    ])
    .where('creative_groups.company_uuid', 'in', companyIds)
    .where('creative_groups.paused', '=', false)
    .where('creative_groups.archived_at', 'is', null)
    .where('creatives.archived_at', 'is', null)
    .where(isApproved('creatives'))
    .execute();
  const byGroup = new Map<string, Creative[]>();
  for (const row of rows) {
    const creative = creativeOf(row);
    if (canRun(creative)) listOf(byGroup, keyOf(row.groupUuid, row.appUuid)).push(creative);
  }
  return byGroup;
}

/** A native ad needs a title and a sponsor. */
function canRun(creative: Creative): boolean {
  return creative.type !== 'Native' || (creative.title !== '' && creative.sponsor !== '');
}

/** Image of the creative's version that may run; for a video its end card, which can be replaced. */
const runningBanner = sql<string>`
  coalesce((creatives.approved ->> 'banner_file_uuid')::uuid, internal_creatives.banner_file_uuid)`;

function keyOf(groupUuid: string, appUuid: string): string {
  return `${groupUuid} ${appUuid}`;
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known) return known;
  const list: T[] = [];
  lists.set(key, list);
  return list;
}

/** A creative with its files, as one row of the query. */
interface CreativeRow {
  uuid: string;
  groupUuid: string;
  type: CreativeType;
  title: string;
  description: string | null;
  sponsor: string;
  groupTitle: string;
  groupDescription: string;
  groupSponsor: string;
  durationMs: number | null;
  fileUuid: string;
  extension: string;
  contentType: string;
  width: number | null;
  height: number | null;
  bytes: number;
  endCardUuid: string | null;
  endCardExtension: string | null;
  endCardContentType: string | null;
  endCardWidth: number | null;
  endCardHeight: number | null;
  endCardBytes: number | null;
}

function creativeOf(row: CreativeRow): Creative {
  const file = fileOf(row.fileUuid, row.extension, row.contentType, row.width, row.height, row.bytes);
  const served = { uuid: row.uuid, groupUuid: row.groupUuid, file };
  switch (row.type) {
    case 'Banner':
    case 'Playable':
      return { ...served, type: row.type };
    case 'Native':
      return {
        ...served,
        type: 'Native',
        title: row.title || row.groupTitle,
        description: row.description || row.groupDescription,
        sponsor: row.sponsor || row.groupSponsor,
      };
    case 'Video':
      return { ...served, type: 'Video', durationMs: row.durationMs ?? 0, endCard: endCardOf(row) };
  }
}

function endCardOf(row: CreativeRow): MediaFile | null {
  if (row.endCardUuid === null) return null;
  return fileOf(
    row.endCardUuid,
    row.endCardExtension!,
    row.endCardContentType!,
    row.endCardWidth,
    row.endCardHeight,
    row.endCardBytes!,
  );
}

function fileOf(
  uuid: string,
  extension: string,
  contentType: string,
  width: number | null,
  height: number | null,
  bytes: number,
): MediaFile {
  return {
    uuid,
    extension,
    contentType: contentType.split(';', 1)[0]!,
    width: width ?? 0,
    height: height ?? 0,
    bytes,
  };
}

/** An exchange that sends us bid requests. */
export interface Ssp {
  slug: string;
  chargeOn: ChargeOn;
  auctionType: SspInput['auction_type'];
  clickMacro: string;
  priceMacro: string;
  lossMacro: string;
  timeoutMs: number | null;
  requestsPerSecond: number | null;
  secret: string | null;
  previousSecret: string | null;
  /** End of validity of the previous secret. */
  previousSecretUntil: Date | null;
  /** Whether requests without a secret are accepted. */
  open: boolean;
  /** Our seat at the exchange. */
  seat: string;
  /** Maximum length of a response in bytes; null is no limit. */
  answerBytesMax: number | null;
}

/** Loads the active exchanges. */
export async function loadSsps(db: Db): Promise<Ssp[]> {
  return db
    .selectFrom('ssps')
    .select([
      'slug',
      'charge_on as chargeOn',
      'auction_type as auctionType',
      'click_macro as clickMacro',
      'price_macro as priceMacro',
      'loss_macro as lossMacro',
      'timeout_ms as timeoutMs',
      'requests_per_second as requestsPerSecond',
      'secret',
      'previous_secret as previousSecret',
      'previous_secret_until as previousSecretUntil',
      'open',
      'seat',
      'answer_bytes_max as answerBytesMax',
    ])
    .where('active', '=', true)
    .execute();
}

/** Price rules of all exchanges by slug; also of inactive ones, whose notices still arrive. */
export async function loadPriceRules(db: Db): Promise<Map<string, PriceRules>> {
  const rows = await db
    .selectFrom('ssps')
    .select(['slug', 'price_format', 'price_encryption_key', 'price_integrity_key', 'unreadable_price'])
    .execute();
  return new Map(
    rows.map((row): [string, PriceRules] => [
      row.slug,
      { keys: priceKeys(row), unreadable: row.unreadable_price },
    ]),
  );
}

type KeyColumns = 'price_format' | 'price_encryption_key' | 'price_integrity_key';

function priceKeys(row: Pick<Selectable<SspTable>, KeyColumns>): PriceRules['keys'] {
  if (row.price_format === 'plain') return null;
  return {
    encryption: Buffer.from(row.price_encryption_key ?? '', 'base64'),
    integrity: Buffer.from(row.price_integrity_key ?? '', 'base64'),
  };
}

/** Dollars per unit, by currency. */
export async function loadCurrencyRates(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('currency_rates').select(['currency', 'dollars']).execute();
  return new Map([...rows.map(({ currency, dollars }): [string, number] => [currency, dollars]), ['USD', 1]]);
}

/** A company. `version` changes with every change of its data. */
export interface Company {
  uuid: string;
  timeZone: string;
  version: string | null;
}

/** Loads all companies. */
export async function loadCompanies(db: Db): Promise<Company[]> {
  return db
    .selectFrom('companies')
    .leftJoin('company_versions', 'company_versions.company_uuid', 'companies.uuid')
    .select(['companies.uuid', 'companies.time_zone as timeZone', 'company_versions.version'])
    .execute();
}

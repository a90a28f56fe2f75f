import type { Logger } from 'pino';
import { Unavailable } from '../../platform/errors.ts';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { BidRef } from '../model/event.ts';
import type { Destination } from '../model/candidate.ts';
import { lruCache } from '../../platform/lru-cache.ts';
import type { Mmp } from '@bidwell/contract/apps/fields';
import { redactSecrets } from '@bidwell/contract/postbacks/schema';
import { isOwnDeepLink } from '@bidwell/contract/adsets/own-deep-link';
import { approvedText } from '../snapshot/creative-store.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Looks up the destinations of clicks. */
export interface Destinations {
  /**
   * Null when the ad set does not exist any more. Throws Unavailable when the database is unavailable and no destination
   * is cached.
   */
  of(ref: Pick<BidRef, 'companyId' | 'adsetId' | 'campaignId' | 'creativeId'>): Promise<Destination | null>;
}

/** Expiry of cached destinations: a changed link applies to clicks within this time. */
const FRESH_MS = 30_000;
/** Timeout of the look-up, since a person waits for the redirect. */
const TIMEOUT_MS = 1000;
const DESTINATIONS_MAX = 20_000;
const RETRY_AFTER_SECONDS = 5;

interface Known {
  destination: Destination | null;
  /** By the monotonic clock, which tests do not set. */
  readAtMs: number;
}

/**
 * Reads destinations from the database and caches them. While the database is unavailable or slow, a click follows the
 * cached destination, or the one in the snapshot (`running`, which a tracker loads from disk at its start), so that
 * the person still arrives.
 */
export function createDestinations(options: {
  db: Database;
  log: Logger;
  /** The destination of a creative of an ad set that may bid; null for any other. */
  running: (adsetId: string, creativeId: string) => Destination | null;
}): Destinations {
  const { db, log, running } = options;
  const known = lruCache<string, Known>(DESTINATIONS_MAX);
  const reading = new Map<string, Promise<Destination | null>>();

  const read = (key: string, { companyId, ...ids }: Parameters<Destinations['of']>[0]) => {
    const underWay = reading.get(key);
    if (underWay) return underWay;
    const look = (async () => {
      const destination = await findDestination(db, companyId, ids);
      known.set(key, { destination, readAtMs: performance.now() });
      return destination;
    })().finally(() => reading.delete(key));
    reading.set(key, look);
    return look;
  };

  return {
    async of(ref) {
      const key = `${ref.companyId}${ref.adsetId}${ref.campaignId}${ref.creativeId}`;
      const last = known.get(key);
      if (last && performance.now() - last.readAtMs < FRESH_MS) return last.destination;
      try {
        return await inTime(read(key, ref), TIMEOUT_MS, `no answer within ${TIMEOUT_MS} ms`);
      } catch (err) {
        const destination = last ? last.destination : running(ref.adsetId, ref.creativeId);
        log.error({ err, followed: destination !== null }, 'the destination of a click could not be read');
        if (!last && !destination) throw new Unavailable(undefined, RETRY_AFTER_SECONDS);
        return destination;
      }
    },
  };
}

/**
 * The approved destination of clicks on a creative of an ad set, its own or the tracking link's, without the company's
 * secrets; null when the ad set no longer exists, or its link was never approved.
 */
export async function findDestination(
  db: Db,
  companyId: string,
  ids: { adsetId: string; campaignId: string; creativeId: string },
): Promise<Destination | null> {
  const row = await db
    .selectFrom('adsets')
    .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
    .innerJoin('apps', 'apps.uuid', 'tracking_links.app_uuid')
    .innerJoin('companies', 'companies.uuid', 'adsets.company_uuid')
    .leftJoin('campaigns', (join) =>
      join.on('campaigns.uuid', '=', ids.campaignId).on('campaigns.company_uuid', '=', companyId),
    )
    .leftJoin('creatives', (join) =>
      join.on('creatives.uuid', '=', ids.creativeId).on('creatives.company_uuid', '=', companyId),
    )
    .select([
      sql<
        string | null
      >`coalesce(${approvedClickUrl('creatives')}, ${approvedClickUrl('tracking_links')})`.as('click_url'),
      'campaigns.name as campaign_name',
      'adsets.deep_link',
      'apps.advertiser_domain',
      approvedText('apps', 'bundle_id').as('bundle_id'),
      'companies.postback_secret',
      'companies.postback_secret_previous',
    ])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.uuid', '=', ids.adsetId)
    .executeTakeFirst();
  if (!row?.click_url) return null;
  const secrets = [row.postback_secret, row.postback_secret_previous ?? ''];
  const { deep_link: deepLink, advertiser_domain: domain } = row;
  return {
    clickUrl: redactSecrets(row.click_url, secrets),
    campaignName: row.campaign_name ?? '',
    // The app's domain may have changed since the deep link was entered.
    deepLink:
      deepLink !== null && isOwnDeepLink(deepLink, domain) ? redactSecrets(deepLink, secrets) || null : null,
    bundle: row.bundle_id,
  };
}

/** The click URL of the version that may run; null if there is none. */
function approvedClickUrl(table: 'creatives' | 'tracking_links') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column('status')} = 'Approved' then ${column('click_url')}
    else ${column('approved')} ->> 'click_url' end`;
}

/**
 * The company of a postback secret: the current one or, for a while after its rotation, the previous one. Searches all
 * companies, since the secret alone identifies one.
 */
export async function findCompanyByPostbackSecret(db: Db, secret: string, at: Date): Promise<string | null> {
  const row = await db
    .selectFrom('companies')
    .select('uuid')
    .where((where) =>
      where.or([
        where('postback_secret', '=', secret),
        where.and([
          where('postback_secret_previous', '=', secret),
          where('postback_secret_previous_until', '>', at),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/**
 * How companies check postbacks, for the partners that they configured. Works across companies, since a batch of
 * postbacks does.
 */
export async function findPostbackChecks(
  db: Db,
  companyIds: readonly string[],
): Promise<{ companyId: string; mmp: Mmp; networks: string[]; secret: string | null }[]> {
  if (companyIds.length === 0) return [];
  return db
    .selectFrom('postback_sources')
    .select(['company_uuid as companyId', 'mmp', 'networks', 'secret'])
    .where('company_uuid', 'in', companyIds)
    .execute();
}

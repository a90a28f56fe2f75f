import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { PublisherApp } from './publisher-apps.ts';

/** Stores apps of publishers, which belong to no company. */
export async function storePublisherApps(
  clickhouse: Pick<ClickHouse, 'insert'>,
  apps: readonly PublisherApp[],
): Promise<void> {
  if (apps.length === 0) return;
  await clickhouse.insert(
    'publisher_apps',
    apps.map(({ atMs, storeLink, sellerDomain, sellerId, ...app }) => ({
      ...app,
      seen_at: clickhouseTime(atMs),
      store_link: storeLink,
      seller_domain: sellerDomain,
      seller_id: sellerId,
    })),
  );
}

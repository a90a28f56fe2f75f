import type { ChainState } from '@bidwell/contract/campaign-reports/bundles';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';

/** A publisher's app as an exchange offered it last; '' where its bid requests said nothing. */
export interface OfferedApp {
  bundle: string;
  exchange: string;
  name: string;
  publisher: string;
  storeLink: string;
  chain: ChainState;
  sellerDomain: string;
  sellerId: string;
}

/** The apps among `bundles` on which any company has bid in the last 90 days, those offered last first. */
export async function offeredApps(
  clickhouse: ClickHouse,
  bundles: readonly string[],
  settings: QuerySettings,
): Promise<readonly OfferedApp[]> {
  if (bundles.length === 0) return [];
  return clickhouse.query<OfferedApp>(
    `select bundle, exchange,
       argMaxIf(p.name, seen_at, p.name != '') as name,
       argMaxIf(p.publisher, seen_at, p.publisher != '') as publisher,
       argMaxIf(store_link, seen_at, store_link != '') as storeLink,
       argMax(p.chain, seen_at) as chain,
       argMax(seller_domain, seen_at) as sellerDomain,
       argMax(seller_id, seen_at) as sellerId
     from publisher_apps as p where bundle in {bundles:Array(String)}
     group by bundle, exchange order by max(seen_at) desc`,
    { bundles },
    'JSON',
    settings,
  );
}

/** Names by bundle as bid requests gave them last; apps whose requests said none are absent. */
export async function offeredNames(
  clickhouse: ClickHouse,
  bundles: readonly string[],
  settings: QuerySettings,
): Promise<ReadonlyMap<string, string>> {
  if (bundles.length === 0) return new Map();
  const rows = await clickhouse.query<{ bundle: string; name: string }>(
    `select bundle, argMax(p.name, seen_at) as name
     from publisher_apps as p where bundle in {bundles:Array(String)} and p.name != '' group by bundle`,
    { bundles },
    'JSON',
    settings,
  );
  return new Map(rows.map(({ bundle, name }) => [bundle, name]));
}

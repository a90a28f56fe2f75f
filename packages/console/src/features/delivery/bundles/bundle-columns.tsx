import type { AppAdsState, CampaignBundle, ChainState } from '@bidwell/contract/campaign-reports/bundles';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { AppIcon } from '../../../entities/apps/app-icon.tsx';
import { CopyText } from '../../../ui/layout/copy-text.tsx';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import type { BundleSetting } from './bundle-settings.ts';
import { rateColumn } from '../rate-column.tsx';

/** A row of the table: a bundle, and what the ad sets of the campaign do there. */
export interface BundleRow extends CampaignBundle {
  settings: readonly BundleSetting[];
}

const oneDecimal = (value: number | null): string => formatNumber(value, 1);

/** Columns of the bundles of a campaign, without the actions. */
export const bundleColumns: readonly Column<BundleRow>[] = [
  { id: 'app', header: 'App', cell: (row) => <AppCell row={row} />, sortBy: nameOf, fixed: true },
  numberColumn('spend', 'Spend, $', ({ spends }) => spends, formatMoney),
  numberColumn('share', 'Share, %', ({ share }) => share, oneDecimal),
  numberColumn('impressions', 'Impressions', ({ impressions }) => impressions),
  numberColumn('cpm', 'CPM, $', ({ cpm }) => cpm, formatMoney),
  numberColumn('installs', 'Installs', ({ installs }) => installs),
  rateColumn('rate', 'IPM', ({ ipm_rate: rate }) => rate),
  numberColumn('cpi', 'CPI, $', ({ cpi }) => cpi, formatMoney),
  {
    id: 'chain',
    header: 'Supply chain',
    cell: (row) => <ChainCell row={row} />,
    sortBy: ({ supply_chains: chains }) => chains[0]?.chain ?? null,
  },
  { id: 'settings', header: 'In ad sets', cell: ({ settings }) => <Settings settings={settings} /> },
];

/** The name of the app, or its bundle. Pure. */
export function nameOf({ name, bundle }: { name: string | null; bundle: string }): string {
  return name ?? (bundle || 'Unknown');
}

function AppCell({ row }: { row: BundleRow }) {
  const { bundle, publisher, store_link: link, icon_link: icon } = row;
  const name = nameOf(row);
  return (
    <Group gap="sm" wrap="nowrap">
      <AppIcon app={{ name, icon_link: icon }} size={32} />
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} component="div">
          {link === null ? (
            name
          ) : (
            <Anchor size="sm" fw={500} href={link} target="_blank" rel="noopener noreferrer">
              {name}
            </Anchor>
          )}
        </Text>
        {publisher !== null && <Caption>{publisher}</Caption>}
        {bundle !== '' && row.name !== null && (
          <Caption component="div">
            <CopyText value={bundle} label="bundle" full />
          </Caption>
        )}
      </Stack>
    </Group>
  );
}

const CHAIN_NAMES: Record<ChainState, string> = {
  complete: 'Complete',
  incomplete: 'Incomplete',
  absent: 'None',
};

const APP_ADS_NAMES: Record<AppAdsState, string> = {
  listed: 'in app-ads.txt',
  not_listed: 'not in app-ads.txt',
  no_file: 'the developer has no app-ads.txt',
};

function ChainCell({ row: { supply_chains: chains } }: { row: BundleRow }) {
  if (chains.length === 0) return '-';
  const states = [...new Set(chains.map(({ chain }) => CHAIN_NAMES[chain]))];
  const warnings = [
    chains.some(({ app_ads: ads }) => ads === 'not_listed') && 'Seller not in app-ads.txt',
    chains.some(({ app_ads: ads }) => ads === 'no_file') && 'No app-ads.txt',
  ].filter((warning) => warning !== false);
  return (
    <LazyTooltip
      multiline
      maw={360}
      label={chains.map(({ exchange, chain, seller, app_ads: ads }) => (
        <div key={exchange}>
          {exchange}: {CHAIN_NAMES[chain].toLowerCase()}
          {seller && `, sold by ${seller.domain} (${seller.id})`}
          {ads && `, ${APP_ADS_NAMES[ads]}`}
        </div>
      ))}
    >
      <Stack gap={0} tabIndex={0}>
        <Text size="sm">{states.length === 1 ? states[0] : 'Differs by exchange'}</Text>
        {warnings.map((warning) => (
          <Caption key={warning}>{warning}</Caption>
        ))}
      </Stack>
    </LazyTooltip>
  );
}

function Settings({ settings }: { settings: readonly BundleSetting[] }) {
  const blocked = settings.filter(({ isBlocked }) => isBlocked);
  const bids = [...new Set(settings.flatMap(({ bid }) => (bid === null ? [] : formatMoney(bid))))];
  if (blocked.length === 0 && bids.length === 0) return <Muted component="span">No rule</Muted>;
  return (
    <Stack gap={0}>
      {blocked.length > 0 && (
        <Text size="sm">
          {blocked.length === settings.length
            ? 'Blocked'
            : `Blocked in ${blocked.length} of ${settings.length}`}
        </Text>
      )}
      {bids.length > 0 && <Text size="sm">Bid {bids.join(', ')}</Text>}
    </Stack>
  );
}

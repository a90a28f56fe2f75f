import { adsetMessages } from '@bidwell/contract/adsets/messages';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { DefaultRow } from '@bidwell/contract/reports/schema';
import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { type ReactNode, useMemo } from 'react';
import { byValue, metricsIn } from '../../../entities/reports/row-metrics.ts';
import {
  type Unknown,
  combined,
  dataOrUnknown,
  knownData,
  mapped,
  useLoadable,
} from '../../../lib/loadable.ts';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { levelQuery } from '../../../entities/reports/queries.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { creativesQuery } from '../../../entities/creatives/queries.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { IfMay } from '../../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { useChosenMetrics } from '../../../entities/reports/chosen-metrics.ts';
import { useSuggestedMetrics } from './suggested-metrics.ts';
import { NewCampaign } from '../new-campaign.tsx';
import { RowTable } from './row-table.tsx';
import { tableNames } from './table-names.ts';
import type { TreeRow } from './tree-rows.ts';

interface FlatTableProps {
  kind: 'adset' | 'creative';
  range: { start: string; end: string };
  /** Shown in the toolbar: the choice of the list. */
  toolbar: ReactNode;
}

/** All ad sets or all creatives of the company in one list, which sorts across campaigns. */
export function FlatTable({ kind, ...props }: FlatTableProps) {
  return kind === 'adset' ? <AdsetTable {...props} /> : <CreativeTable {...props} />;
}

const adsetLevel = ['adset'] as const;
const creativeLevel = ['creative'] as const;

function AdsetTable({ range, toolbar }: Omit<FlatTableProps, 'kind'>) {
  const list = useLoadable(adsetsQuery);
  const campaignList = useLoadable(campaignsQuery);
  const adsets = knownData(list);
  const campaigns = knownData(campaignList);
  const metrics = useChosenMetrics(tableNames.adset, useSuggestedMetrics('adset'));
  const figures = useLoadable(levelQuery(range, adsetLevel, {}, { metrics }));
  const report = dataOrUnknown(mapped(figures, ({ rows }) => rows));
  const rows = useMemo(
    () => adsets && campaigns && adsetList(adsets, campaigns, report),
    [adsets, campaigns, report],
  );
  return (
    <RowTable
      list="adset"
      rows={rows}
      figures={combined(list, campaignList, figures)}
      toolbar={toolbar}
      empty={
        <EmptyState
          title={adsetMessages.emptyAdsets}
          text={screenMessages.adsetsEmpty}
          action={<NewCampaign />}
        />
      }
    />
  );
}

function CreativeTable({ range, toolbar }: Omit<FlatTableProps, 'kind'>) {
  const list = useLoadable(creativesQuery);
  const creatives = knownData(list);
  const metrics = useChosenMetrics(tableNames.creative, useSuggestedMetrics('creative'));
  const figures = useLoadable(levelQuery(range, creativeLevel, {}, { metrics }));
  const report = dataOrUnknown(mapped(figures, ({ rows }) => rows));
  const rows = useMemo(() => creatives && creativeList(creatives, report), [creatives, report]);
  return (
    <RowTable
      list="creative"
      rows={rows}
      figures={combined(list, figures)}
      toolbar={toolbar}
      empty={
        <EmptyState
          title={messages.emptyTable}
          text={screenMessages.creativesFirst}
          action={
            <IfMay permission="creative.write">
              <ButtonLink to="/creatives/add-creative">Upload</ButtonLink>
            </IfMay>
          }
        />
      }
    />
  );
}

/** A row for each ad set of the company, with its metrics in all campaigns that it was part of. */
function adsetList(
  adsets: readonly AdsetSummary[],
  campaigns: readonly Campaign[],
  report: readonly DefaultRow[] | Unknown,
): TreeRow[] {
  const metrics = byValue(report);
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.uuid, campaign]));
  return adsets.map((adset) => ({
    kind: 'adset',
    id: adset.uuid,
    uuid: adset.uuid,
    name: adset.name,
    adset,
    campaign: adset.campaign ? campaignOf.get(adset.campaign.uuid) : undefined,
    metrics: metricsIn(metrics, adset.uuid),
  }));
}

/** A row for each creative of the company, with its metrics in all ad sets. */
function creativeList(creatives: readonly Creative[], report: readonly DefaultRow[] | Unknown): TreeRow[] {
  const metrics = byValue(report);
  return creatives.map((creative) => ({
    kind: 'creative',
    id: creative.uuid,
    name: creative.internal_creative.name,
    creative,
    metrics: metricsIn(metrics, creative.uuid),
  }));
}

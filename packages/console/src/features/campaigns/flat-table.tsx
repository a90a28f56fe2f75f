import { messages } from '@bidwell/contract/messages';
import { screenMessages } from '@bidwell/contract/screen-messages';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { adsetsQuery } from '../../lib/queries/adsets.ts';
import { levelQuery } from '../../lib/queries/analytics.ts';
import { campaignsQuery } from '../../lib/queries/campaigns.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { adsetList, creativeList } from './flat-rows.ts';
import { NewCampaign } from './new-campaign.tsx';
import { RowTable } from './row-table.tsx';

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
const none: never[] = [];

function AdsetTable({ range, toolbar }: Omit<FlatTableProps, 'kind'>) {
  const { data: adsets } = useQuery(adsetsQuery);
  const { data: campaigns = none } = useQuery(campaignsQuery);
  const { data: report } = useQuery(levelQuery(range, adsetLevel));
  const rows = useMemo(
    () => adsets && adsetList(adsets, campaigns, report?.rows ?? none),
    [adsets, campaigns, report],
  );
  return (
    <RowTable
      list="adset"
      rows={rows}
      toolbar={toolbar}
      empty={
        <EmptyState title={messages.emptyAdsets} text={screenMessages.adsetsEmpty} action={<NewCampaign />} />
      }
    />
  );
}

function CreativeTable({ range, toolbar }: Omit<FlatTableProps, 'kind'>) {
  const { data: creatives } = useQuery(creativesQuery);
  const { data: report } = useQuery(levelQuery(range, creativeLevel));
  const rows = useMemo(() => creatives && creativeList(creatives, report?.rows ?? none), [creatives, report]);
  return (
    <RowTable
      list="creative"
      rows={rows}
      toolbar={toolbar}
      empty={
        <EmptyState
          title={messages.emptyTable}
          text={screenMessages.creativesFirst}
          action={<ButtonLink to="/creatives/add-creative">Upload</ButtonLink>}
        />
      }
    />
  );
}

import type { Finding } from '@bidwell/contract/insight/finding';
import { ActionIcon, Popover, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { isUnknown, useKnown } from '../../../lib/loadable.ts';
import { mainFindingsQuery } from '../../../entities/insight/main-finding-queries.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import type { TreeRow } from './tree-rows.ts';

const SpendReasons = lazyPart(() => import('./spend-reasons.tsx'), 'SpendReasons');

/** A sign at an active campaign or ad set that spends less than it could, with a popover that says why. */
export function SpendHint({ row }: { row: TreeRow & { kind: 'campaign' | 'adset' } }) {
  const { range } = useRangeSearch();
  const found = useKnown(mainFindingsQuery(range));
  const own = found?.campaigns.find(({ uuid }) => uuid === row.campaign?.uuid);
  const finding: Finding | undefined =
    row.kind === 'campaign' ? own?.finding : own?.adsets.find(({ uuid }) => uuid === row.uuid)?.finding;
  const isIdle = row.kind === 'campaign' && !isUnknown(row.metrics) && row.metrics.impressions === 0;
  if (!row.campaign || (!isIdle && !finding)) return null;
  return (
    <Popover width={320} shadow="md" position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="orange"
          size={24}
          aria-label={isIdle ? `Why ${row.name} does not spend` : `What limits ${row.name}`}
        >
          <IconAlertTriangle size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<Skeleton height={60} />}>
          <SpendReasons
            campaign={row.campaign}
            isIdle={isIdle}
            adset={row.kind === 'adset' ? finding : undefined}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

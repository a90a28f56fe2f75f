import type { Finding } from '@bidwell/contract/insight/finding';
import { ActionIcon, Group, Skeleton } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Suspense } from 'react';
import { mainFindingsQuery } from '../../../entities/insight/main-finding-queries.ts';
import { isUnknown, useKnown } from '../../../lib/loadable.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { HintPopover } from '../../../ui/layout/hint-popover.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { IfMay } from '../../../ui/roles/if-may.tsx';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { reviewLink, reviewNext, reviewText, startText } from '../campaign-review.ts';
import { LearningStatus } from './learning-line.tsx';
import { statusOf } from './row-status.ts';
import type { Startable } from './status-actions.ts';
import type { TreeRow } from './tree-rows.ts';

const CreativeHint = lazyPart(() => import('../../../entities/insight/creative-hint.tsx'), 'CreativeHint', {
  as: 'hint',
});

interface StatusCellProps {
  row: TreeRow;
  busy: ReadonlySet<string>;
  onToggle: (one: Startable) => void;
}

/** Status of a row, its start or pause button, and a hint where an active one could spend more. */
export function StatusCell({ row, busy, onToggle }: StatusCellProps) {
  if (row.kind === 'creative') {
    const { creative } = row;
    return creative ? (
      <Group gap={6} wrap="nowrap">
        <StatusBadge status={creative.status} reason={creative.rejection_reason} />
        <Suspense>
          <CreativeHint uuid={creative.uuid} name={row.name} adset={row.adset} />
        </Suspense>
      </Group>
    ) : null;
  }
  const one = startableOf(row);
  if (!one) return null;
  const { name, status, uuid, archived_at: archivedAt } = one.item;
  if (archivedAt !== null) return <StatusBadge status="Archived" />;
  const active = status === 'Active';
  const Icon = active ? IconPlayerPause : IconPlayerPlay;
  const review = row.kind === 'campaign' ? reviewText(row.campaign.in_review) : null;
  const start = row.kind === 'campaign' ? startText(row.campaign) : null;
  return (
    <Group gap={6} wrap="nowrap" align={review ? 'flex-start' : 'center'}>
      <IfMay permission={one.kind === 'campaign' ? 'campaign.write' : 'adset.write'}>
        <LazyTooltip label={active ? 'Pause' : 'Start'}>
          <ActionIcon
            variant="default"
            size="md"
            // Not disabled, because that would remove the focus; clicks are ignored while a change is pending.
            aria-busy={busy.has(uuid)}
            onClick={() => {
              if (!busy.has(uuid)) onToggle(one);
            }}
            aria-label={`${active ? 'Pause' : 'Start'} ${name}`}
          >
            <Icon size={15} />
          </ActionIcon>
        </LazyTooltip>
      </IfMay>
      <div>
        <StatusBadge status={statusOf(row) ?? status} />
        {review && row.kind === 'campaign' && (
          <LazyTooltip label={reviewNext(row.campaign.start_when_approved)} multiline maw={280}>
            <AnchorLink
              size="xs"
              // On a phone it would lie over the name of the campaign.
              visibleFrom="sm"
              style={{ whiteSpace: 'nowrap' }}
              {...reviewLink(row.campaign)}
            >
              {review}
            </AnchorLink>
          </LazyTooltip>
        )}
        {start && (
          // On a phone it is below the name.
          <Caption maw={150} visibleFrom="sm">
            {start}
          </Caption>
        )}
        {row.kind !== 'more' && <LearningStatus row={row} />}
      </div>
      {row.kind !== 'more' && statusOf(row) === 'Active' && !busy.has(uuid) && <SpendHint row={row} />}
    </Group>
  );
}

/** The campaign or ad set of a row; null if the row cannot be started. */
export function startableOf(row: TreeRow): Startable | null {
  if (row.kind === 'campaign') return { kind: 'campaign', item: row.campaign };
  return row.kind === 'adset' && row.adset ? { kind: 'adset', item: row.adset } : null;
}

const SpendReasons = lazyPart(() => import('./spend-reasons.tsx'), 'SpendReasons');

/** A sign at an active campaign or ad set that spends less than it could, with a popover that says why. */
function SpendHint({ row }: { row: TreeRow & { kind: 'campaign' | 'adset' } }) {
  const { range } = useRangeSearch();
  const found = useKnown(mainFindingsQuery(range));
  const own = found?.campaigns.find(({ uuid }) => uuid === row.campaign?.uuid);
  const finding: Finding | undefined =
    row.kind === 'campaign' ? own?.finding : own?.adsets.find(({ uuid }) => uuid === row.uuid)?.finding;
  const isIdle = row.kind === 'campaign' && !isUnknown(row.metrics) && row.metrics.impressions === 0;
  if (!row.campaign || (!isIdle && !finding)) return null;
  return (
    <HintPopover label={isIdle ? `Why ${row.name} does not spend` : `What limits ${row.name}`}>
      <Suspense fallback={<Skeleton height={60} />}>
        <SpendReasons
          campaign={row.campaign}
          isIdle={isIdle}
          adset={row.kind === 'adset' ? finding : undefined}
        />
      </Suspense>
    </HintPopover>
  );
}

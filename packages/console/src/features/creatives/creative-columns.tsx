import { type Creative, type CreativeType, creativeVersion } from '@bidwell/contract/creatives/schema';
import { ALL_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { formatMoment } from '../../lib/format/format.ts';
import { readPresent } from '../../lib/api/present-entities.ts';
import { creativesQuery, updateInternalCreative } from '../../entities/creatives/queries.ts';
import type { RowMetrics } from '../../entities/reports/row-metrics.ts';
import { ArchiveMenu } from '../../entities/archive/archive-menu.tsx';
import { CreativeHint } from '../../entities/insight/creative-hint.tsx';
import { CreativeThumbnail } from '../../entities/creatives/creative-thumbnail.tsx';
import { fieldInPlace } from '../../ui/form/inline/edited-field.ts';
import { InlineEdit } from '../../ui/form/inline/inline-edit.tsx';
import { metricColumn } from '../../entities/reports/metric-column.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { UnapprovedAt } from './exchange-reviews.tsx';
import { actionsColumn } from '../../entities/archive/entity-columns.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import classes from './creatives.module.css';

const SHOWN_METRICS: readonly ReportMetric[] = ['impressions', 'ctr', 'installs', 'cpi'];
const HIDDEN_METRICS = ALL_METRICS.filter((metric) => !SHOWN_METRICS.includes(metric));

/** Columns of a table of creatives of one type. */
export function creativeColumns(
  type: CreativeType,
  shownUuid: string | undefined,
  onShow: (creative: Creative) => void,
  metricsOf: (creative: Creative) => RowMetrics,
  onLabel: (label: string) => void,
): Column<Creative>[] {
  const columns: Column<Creative>[] = [
    {
      id: 'preview',
      fixed: true,
      header: 'Preview',
      cell: (creative) => (
        <UnstyledButton
          onClick={() => onShow(creative)}
          aria-label={`Preview ${creative.internal_creative.name}`}
          aria-pressed={creative.uuid === shownUuid}
          className={classes['preview']}
          p={4}
        >
          <CreativeThumbnail asset={creative.internal_creative} />
        </UnstyledButton>
      ),
    },
    {
      id: 'name',
      fixed: true,
      header: 'Title',
      sortBy: (creative) => creative.internal_creative.name,
      cell: (creative) => (
        <Stack gap={0} miw={140}>
          <InlineEdit label="Title" kind="title" permission="creative.write" field={titleOf(creative)} />
          <Caption truncate maw={200}>
            {creative.app.name}
          </Caption>
          <Labels labels={creative.labels} onLabel={onLabel} />
        </Stack>
      ),
    },
    {
      id: 'size',
      header: 'Size, px',
      sortBy: ({ internal_creative: { width, height } }) => (width ?? 0) * (height ?? 0),
      cell: ({ internal_creative: { width, height } }) => (width && height ? `${width}×${height}` : '-'),
    },
    { ...numberColumn<Creative>('duration', 'Length, s', durationOf, secondsText), hidden: true },
    {
      id: 'app',
      hidden: true,
      header: 'App',
      sortBy: (creative) => creative.app.name,
      cell: (creative) => creative.app.name,
    },
    {
      id: 'status',
      header: 'Status',
      sortBy: (creative) => creative.status,
      cell: (creative) => (
        <Stack gap={0}>
          <Group gap={6} wrap="nowrap">
            <StatusBadge status={creative.status} reason={creative.rejection_reason} />
            <CreativeHint uuid={creative.uuid} name={creative.internal_creative.name} />
          </Group>
          <UnapprovedAt creative={creative} />
        </Stack>
      ),
    },
    ...SHOWN_METRICS.map((id) => metricColumn(id, { metricsOf })),
    ...HIDDEN_METRICS.map((id) => ({ ...metricColumn(id, { metricsOf }), hidden: true })),
    {
      id: 'created',
      hidden: true,
      header: 'Created',
      sortBy: (creative) => creative.created_at,
      cell: (creative) => <Text size="xs">{formatMoment(creative.created_at)}</Text>,
    },
    actionsColumn(({ uuid, archived_at: archivedAt, internal_creative: asset }) => (
      <ArchiveMenu
        path="internal_creative"
        uuid={asset.uuid}
        copiedId={uuid}
        name={asset.name}
        archivedAt={archivedAt}
      />
    )),
  ];
  const absent = { Banner: ['duration'], Native: ['duration'], Playable: ['size', 'duration'], Video: [] };
  return columns.filter(({ id }) => !(absent[type] as string[]).includes(id));
}

/** The title of a creative, which is the title of its asset. */
const titleOf = (creative: Creative) =>
  fieldInPlace<Creative, string>({
    saved: creative,
    valueOf: (present) => present.internal_creative.name,
    version: creativeVersion,
    reload: async () => (await readPresent(creativesQuery)).get(creative.uuid) ?? creative,
    send: async (name, version) => updateInternalCreative(creative.internal_creative.uuid, { name }, version),
  });

/** The labels of a creative; each searches for the creatives that have it. */
function Labels({ labels, onLabel }: { labels: readonly string[]; onLabel: (label: string) => void }) {
  if (labels.length === 0) return null;
  return (
    <Group gap={4}>
      {labels.map((label) => (
        <UnstyledButton
          key={label}
          className={classes['label']}
          onClick={() => onLabel(label)}
          aria-label={`Creatives with the label ${label}`}
        >
          {label}
        </UnstyledButton>
      ))}
    </Group>
  );
}

const durationOf = (creative: Creative): number | null => creative.internal_creative.duration_ms;
const secondsText = (ms: number | null): string => (ms === null ? '-' : (ms / 1000).toFixed(1));

import { messages } from '@bidwell/contract/text/messages';
import type { Creative } from '@bidwell/contract/creatives/schema';
import { Group, Modal, Paper, Skeleton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { AppFilter } from '../../entities/apps/app-filter.tsx';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { CreativeTypeSwitch, creativeTypeLabels } from '../../entities/creatives/creative-type-switch.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { SizeCoveragePanel } from '../../entities/creatives/size-coverage-panel.tsx';
import { WithSidePanel } from '../../ui/layout/with-side-panel.tsx';
import { type Loadable, combined, dataOrUnknown, mapped, useLoadable } from '../../lib/loadable.ts';
import { mayRun } from '../../entities/creatives/creative-lists.ts';
import { creativeColumns } from './creative-columns.tsx';
import { ImportButton } from './import/import-button.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { uploadRules } from './upload/upload-rules.ts';
import { type CreativesView, isArchived, useCreativesView } from './use-creatives-view.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { useChosenMetrics } from '../../entities/reports/chosen-metrics.ts';
import { levelQuery } from '../../entities/reports/queries.ts';
import { type RowMetrics, byValue, metricsIn } from '../../entities/reports/row-metrics.ts';

const level = ['creative'] as const;
/** Under which the columns are stored: the list of creatives of the campaigns has its own. */
const COLUMNS = 'creative-library';

/** The metrics of each creative in a range of days, by the creative's uuid, and their load state. */
function useCreativeMetrics(range: DateRange): {
  metricsOf: (uuid: string) => RowMetrics;
  figures: Loadable;
} {
  const chosen = useChosenMetrics(COLUMNS);
  const figures = useLoadable(levelQuery(range, level, {}, { metrics: chosen }));
  const report = dataOrUnknown(mapped(figures, ({ rows }) => rows));
  const metrics = useMemo(() => byValue(report), [report]);
  return { metricsOf: (uuid) => metricsIn(metrics, uuid), figures };
}

const searchText = ({ uuid, internal_creative: { name, width, height }, app, labels }: Creative) =>
  `${name} ${width}×${height} ${width}x${height} ${app.name} ${labels.join(' ')} ${uuid}`;

// The app is chosen above the table, for the preview and the size coverage too.
const filters = { statusOf: ({ status }: Creative) => status };

/** The company's creatives by type, with a table, a preview and the size coverage. */
export function CreativesTab() {
  const view = useCreativesView();
  const { type, change, wide, picked, shown } = view;
  const { metricsOf, figures } = useCreativeMetrics(view.dates.range);
  const columns = creativeColumns(
    type,
    shown?.uuid,
    ({ uuid }) => change({ creative: uuid }),
    ({ uuid }) => metricsOf(uuid),
    (label) => view.setTable({ q: label, page: undefined }),
  );
  return (
    <>
      <CreativesToolbar view={view} />
      <WithSidePanel side={<CreativesSidePanel view={view} />}>
        <DataTable
          label={`creatives: ${creativeTypeLabels[type]}`}
          columns={columns}
          columnsKey={COLUMNS}
          minWidth={780}
          rowHeight={66}
          rows={view.rows}
          figures={combined(view.list, figures)}
          rowId={({ uuid }) => uuid}
          rowName={({ internal_creative: { name } }) => name}
          searchText={searchText}
          filters={filters}
          isArchived={isArchived}
          state={view.table}
          onStateChange={view.setTable}
          empty={
            <EmptyState
              title={messages.emptyTable}
              text={uploadRules[type].hint}
              action={<UploadLink view={view} />}
            />
          }
        />
      </WithSidePanel>
      <Modal
        opened={!wide && picked !== undefined}
        onClose={() => change({ creative: undefined })}
        title="Preview"
      >
        {picked && <PreviewPanel key={picked.uuid} creative={picked} />}
      </Modal>
    </>
  );
}

/** Type and app of the creatives, import and upload. */
function CreativesToolbar({ view }: { view: CreativesView }) {
  const { type, app, apps, current, change } = view;
  return (
    <Group mb="sm" justify="space-between" gap="xs">
      <Group gap="xs">
        <CreativeTypeSwitch
          value={type}
          onChange={(next) => change({ type: next, creative: undefined, page: undefined })}
          countOf={(of) =>
            dataOrUnknown(
              mapped(
                current,
                (known) => known.filter(({ internal_creative: asset }) => asset.type === of).length,
              ),
            )
          }
        />
        <AppFilter
          apps={apps}
          size="xs"
          w={180}
          value={app ?? null}
          onChange={(uuid) => change({ app: uuid ?? undefined, creative: undefined, page: undefined })}
        />
      </Group>
      <Group gap="xs">
        <DateRangePicker choice={view.dates} />
        <IfMay permission="creative.write">
          <ImportButton appUuid={app ?? ''} />
        </IfMay>
        <UploadLink view={view} />
      </Group>
    </Group>
  );
}

function UploadLink({ view: { type, app } }: { view: CreativesView }) {
  return (
    <IfMay permission="creative.write">
      <ButtonLink to="/creatives/add-creative" search={{ type, app }} leftSection={<IconUpload size={16} />}>
        Upload
      </ButtonLink>
    </IfMay>
  );
}

/** Preview of the shown creative on a wide page, and the size coverage. */
function CreativesSidePanel({ view }: { view: CreativesView }) {
  const { type, app, apps, current, list, wide, shown } = view;
  return (
    <>
      {wide && list.state !== 'failed' && (
        <Paper withBorder p="md" component="section" aria-label="Preview">
          {shown ? (
            <PreviewPanel key={shown.uuid} creative={shown} />
          ) : (
            <FigureFrame figures={list} isSilent skeleton={<Skeleton height={240} />}>
              {() => <Muted>The preview of a creative appears here.</Muted>}
            </FigureFrame>
          )}
        </Paper>
      )}
      {type !== 'Playable' && (
        <SizeCoveragePanel
          types={type === 'Video' ? ['Video'] : ['Banner', 'Native']}
          creatives={mapped(current, (known) =>
            known.filter(mayRun).map(({ internal_creative: asset }) => asset),
          )}
          of={app ? `Of ${apps.get(app) ?? 'this app'}` : 'Of all apps'}
        />
      )}
    </>
  );
}

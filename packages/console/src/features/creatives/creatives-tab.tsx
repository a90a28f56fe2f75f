import type { Creative, CreativeType } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import { Group, Modal, Paper, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { currentOnly } from '../../lib/current-only.ts';
import { formatMoment } from '../../lib/format.ts';
import { creativesQuery, updateInternalCreative } from '../../lib/queries/creatives.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { CreativeThumbnail } from '../../ui/creative-thumbnail.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { SizeCoveragePanel } from '../../ui/size-coverage-panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';
import type { CreativeSearch } from './creative-search.ts';
import classes from './creatives.module.css';
import { ImportButton } from './import-button.tsx';
import { PanelSwitch } from './panel-switch.tsx';
import { creativeTypeOf } from './panels.ts';
import { PreviewPanel } from './preview-panel.tsx';

/** The company's creatives by type, with a table, a preview and the size coverage. */
export function CreativesTab() {
  const { data: creatives } = useQuery(creativesQuery);
  const [table, setTable] = useTableSearch();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as CreativeSearch;
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const type = search.type ?? 'Banner';
  const change = (changes: CreativeSearch & { page?: number | undefined }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });

  const ofApp = creatives?.filter(({ app }) => !search.app || app.uuid === search.app);
  const rows = ofApp?.filter(({ internal_creative: asset }) => asset.type === type);
  const picked = rows?.find(({ uuid }) => uuid === search.creative);
  const shown =
    picked ?? (wide ? rows?.find((row) => isArchived(row) === (table.archived ?? false)) : undefined);
  const current = currentOnly(ofApp ?? []);
  const apps = new Map(creatives?.map(({ app }) => [app.uuid, app.name]));
  const upload = (
    <ButtonLink
      to="/creatives/add-creative"
      search={{ type, app: search.app }}
      leftSection={<IconUpload size={16} />}
    >
      Upload
    </ButtonLink>
  );
  const tableOfType = (
    <DataTable
      label={`creatives: ${creativeTypeOf(type).label}`}
      columns={columnsOf(type, shown?.uuid, (creative) => change({ creative: creative.uuid }))}
      rows={rows}
      rowId={(creative) => creative.uuid}
      rowName={(creative) => creative.internal_creative.name}
      searchText={({ uuid, internal_creative: { name, width, height }, app }) =>
        `${name} ${width}×${height} ${width}x${height} ${app.name} ${uuid}`
      }
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      empty={<EmptyState title={messages.emptyTable} text={creativeTypeOf(type).hint} action={upload} />}
    />
  );

  return (
    <>
      <Group mb="sm" justify="space-between" gap="xs">
        <Group gap="xs">
          <PanelSwitch
            value={type}
            onChange={(next) => change({ type: next, creative: undefined, page: undefined })}
            countOf={(of) => current.filter(({ internal_creative: { type: is } }) => is === of).length}
          />
          {apps.size > 1 && (
            <Select
              aria-label="App of the creatives"
              placeholder="All apps"
              size="xs"
              w={180}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'Show all apps' }}
              nothingFoundMessage="No app of that name"
              data={[...apps].map(([value, label]) => ({ value, label }))}
              value={search.app ?? null}
              onChange={(app) => change({ app: app ?? undefined, creative: undefined, page: undefined })}
            />
          )}
        </Group>
        <Group gap="xs">
          <ImportButton appUuid={search.app ?? ''} />
          {upload}
        </Group>
      </Group>
      <div className={classes['columns']}>
        {tableOfType}
        <Stack className={classes['side']}>
          {wide && (
            <Paper withBorder p="md" component="section" aria-label="Preview">
              {shown ? (
                <PreviewPanel key={shown.uuid} creative={shown} />
              ) : (
                <Text size="sm" c="dimmed">
                  A creative shows here as it will be served.
                </Text>
              )}
            </Paper>
          )}
          {type !== 'Playable' && (
            <SizeCoveragePanel
              types={type === 'Video' ? ['Video'] : ['Banner', 'Native']}
              creatives={current.map(({ internal_creative: asset }) => asset)}
              of={search.app ? `Of ${apps.get(search.app) ?? 'this app'}` : 'Of all apps'}
            />
          )}
        </Stack>
      </div>
      <Modal
        opened={!wide && picked !== undefined}
        onClose={() => change({ creative: undefined })}
        title="Preview"
        centered
      >
        {picked && <PreviewPanel key={picked.uuid} creative={picked} />}
      </Modal>
    </>
  );
}

const isArchived = ({ archived_at: archivedAt }: Creative) => archivedAt !== null;

function columnsOf(
  type: CreativeType,
  shownUuid: string | undefined,
  onShow: (creative: Creative) => void,
): Column<Creative>[] {
  const columns: Column<Creative>[] = [
    {
      id: 'preview',
      header: 'Preview',
      cell: (creative) => (
        <UnstyledButton
          onClick={() => onShow(creative)}
          aria-label={`Preview ${creative.internal_creative.name}`}
          aria-pressed={creative.uuid === shownUuid}
          className={classes['pick']}
          p={4}
        >
          <CreativeThumbnail asset={creative.internal_creative} />
        </UnstyledButton>
      ),
    },
    {
      id: 'name',
      header: 'Title',
      sortBy: (creative) => creative.internal_creative.name,
      cell: (creative) => (
        <Stack gap={3} miw={140}>
          <InlineEdit
            label="Title"
            kind="title"
            value={creative.internal_creative.name}
            onSave={(name) => updateInternalCreative(creative.internal_creative.uuid, { name })}
          />
          <CopyText value={creative.uuid} label="creative id" />
        </Stack>
      ),
    },
    {
      id: 'size',
      header: 'Size, px',
      sortBy: ({ internal_creative: { width, height } }) => (width ?? 0) * (height ?? 0),
      cell: ({ internal_creative: { width, height } }) => (width && height ? `${width}×${height}` : '-'),
    },
    {
      id: 'duration',
      header: 'Length, s',
      numeric: true,
      sortBy: (creative) => creative.internal_creative.duration_ms,
      cell: ({ internal_creative: { duration_ms: ms } }) => (ms === null ? '-' : (ms / 1000).toFixed(1)),
    },
    {
      id: 'app',
      header: 'App',
      sortBy: (creative) => creative.app.name,
      cell: (creative) => creative.app.name,
    },
    {
      id: 'status',
      header: 'Status',
      sortBy: (creative) => creative.status,
      cell: (creative) => <StatusBadge status={creative.status} reason={creative.rejection_reason} />,
    },
    {
      id: 'created',
      header: 'Created',
      sortBy: (creative) => creative.created_at,
      cell: (creative) => <Text size="xs">{formatMoment(creative.created_at)}</Text>,
    },
    {
      id: 'actions',
      header: 'Actions',
      headerHidden: true,
      cell: ({ archived_at: archivedAt, internal_creative: { uuid, name } }) => (
        <ArchiveMenu path="internal_creative" uuid={uuid} name={name} archivedAt={archivedAt} />
      ),
    },
  ];
  const absent = { Banner: ['duration'], Native: ['duration'], Playable: ['size', 'duration'], Video: [] };
  return columns.filter(({ id }) => !(absent[type] as string[]).includes(id));
}

import type { Creative } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import { Group, Modal, Paper, Select, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { currentOnly } from '../../lib/current-only.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { CreativeTypeSwitch, creativeTypeLabels } from '../../ui/creative-type-switch.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { SizeCoveragePanel } from '../../ui/size-coverage-panel.tsx';
import { creativeColumns } from './creative-columns.tsx';
import type { CreativeSearch } from './creative-search.ts';
import classes from './creatives.module.css';
import { ImportButton } from './import-button.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { uploadRules } from './upload-rules.ts';

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
      label={`creatives: ${creativeTypeLabels[type]}`}
      columns={creativeColumns(type, shown?.uuid, (creative) => change({ creative: creative.uuid }))}
      rows={rows}
      rowId={(creative) => creative.uuid}
      rowName={(creative) => creative.internal_creative.name}
      searchText={({ uuid, internal_creative: { name, width, height }, app }) =>
        `${name} ${width}×${height} ${width}x${height} ${app.name} ${uuid}`
      }
      isArchived={isArchived}
      state={table}
      onStateChange={setTable}
      empty={<EmptyState title={messages.emptyTable} text={uploadRules[type].hint} action={upload} />}
    />
  );

  return (
    <>
      <Group mb="sm" justify="space-between" gap="xs">
        <Group gap="xs">
          <CreativeTypeSwitch
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

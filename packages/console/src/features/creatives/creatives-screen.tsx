import type { Creative, CreativeType } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import { Group, Modal, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { creativesQuery, updateInternalCreative } from '../../lib/queries/creatives.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PrivateImage } from '../../ui/private-image.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';

const panels: { type: CreativeType; label: string }[] = [
  { type: 'Banner', label: 'Images' },
  { type: 'Native', label: 'Native' },
  { type: 'Playable', label: 'Playable' },
  { type: 'Video', label: 'Videos' },
];

/** /creatives */
export function CreativesScreen() {
  return (
    <>
      <PageHeader title="Creatives" />
      <CreativesTab />
    </>
  );
}

/** The creatives of the company, a panel for each type. */
export function CreativesTab() {
  const { data: creatives } = useQuery(creativesQuery);
  const [table, setTable] = useTableSearch();
  const [type, setType] = useState<CreativeType>('Banner');
  const [shown, setShown] = useState<Creative | null>(null);
  const rows = creatives?.filter((creative) => creative.internal_creative.type === type);
  const count = (of: CreativeType) =>
    creatives?.filter((creative) => creative.internal_creative.type === of).length ?? 0;
  const add = (
    <ButtonLink to="/creatives/add-creative" leftSection={<IconPlus size={16} />}>
      Add creative
    </ButtonLink>
  );
  const columns: Column<Creative>[] = [
    {
      id: 'preview',
      header: 'Preview',
      cell: (creative) => (
        <UnstyledButton
          onClick={() => setShown(creative)}
          aria-label={`Preview ${creative.internal_creative.name}`}
        >
          <PrivateImage url={creative.internal_creative.banner?.url} alt="" width={96} height={48} />
        </UnstyledButton>
      ),
    },
    {
      id: 'name',
      header: 'Title',
      sortBy: (creative) => creative.internal_creative.name,
      cell: (creative) => (
        <InlineEdit
          label="Title"
          kind="title"
          value={creative.internal_creative.name}
          onSave={(name) => updateInternalCreative(creative.internal_creative.uuid, { name })}
        />
      ),
    },
    {
      id: 'size',
      header: 'Size, px',
      sortBy: ({ internal_creative: { width, height } }) => (width ?? 0) * (height ?? 0),
      cell: ({ internal_creative: { width, height } }) => (width && height ? `${width}×${height}` : '-'),
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
  ];
  return (
    <>
      <Group mb="sm" justify="space-between">
        <SegmentedControl
          aria-label="Type of creative"
          value={type}
          onChange={(value) => setType(value as CreativeType)}
          data={panels.map((panel) => ({ value: panel.type, label: `${panel.label} ${count(panel.type)}` }))}
        />
        {rows?.length !== 0 && add}
      </Group>
      <DataTable
        label="creatives"
        columns={columns}
        rows={rows}
        rowId={(creative) => creative.uuid}
        searchText={({ internal_creative: { name, width, height }, app }) =>
          `${name} ${width}×${height} ${app.name}`
        }
        state={table}
        onStateChange={setTable}
        empty={
          <EmptyState
            title={messages.emptyTable}
            text="Upload images in the sizes that publishers show."
            action={add}
          />
        }
      />
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown?.internal_creative.name}
        size="auto"
        centered
      >
        {shown && <Preview creative={shown} />}
      </Modal>
    </>
  );
}

function Preview({ creative: { internal_creative: asset, click_url, view_url } }: { creative: Creative }) {
  const width = Math.min(asset.width ?? 320, 640);
  return (
    <Stack>
      <PrivateImage
        url={asset.banner?.url}
        alt={asset.name}
        width={width}
        height={Math.round(((asset.height ?? 180) * width) / (asset.width ?? 320))}
      />
      {click_url && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Click URL: {click_url}
        </Text>
      )}
      {view_url && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          View URL: {view_url}
        </Text>
      )}
    </Stack>
  );
}

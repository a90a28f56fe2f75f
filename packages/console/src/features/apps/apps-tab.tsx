import type { App } from '@bidwell/contract/app';
import { messages } from '@bidwell/contract/messages';
import { Avatar, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery, updateApp } from '../../lib/queries/apps.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { ArchiveMenu } from '../../ui/archive-menu.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { ButtonLink, RowLink } from '../../ui/links.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/table-state.ts';
import { DeleteAppsDialog } from './delete-apps-dialog.tsx';
import classes from './apps-tab.module.css';
import { mmpNames } from './mmp-names.ts';

const columns: Column<App>[] = [
  {
    id: 'name',
    header: 'Title',
    sortBy: (app) => app.name,
    cell: (app) => (
      <div className={classes['name']}>
        <Avatar src={app.icon_link} name={app.name} color="initials" radius="md" size={32} alt="" />
        <div>
          <strong>{app.name}</strong>
          <span className={classes['os']}>{app.os === 'ios' ? 'iOS' : 'Android'}</span>
          <CopyText value={app.uuid} label="app id" />
        </div>
      </div>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    cell: (app) => (
      <InlineEdit
        label="Description"
        kind="description"
        value={app.description}
        onSave={(description) => updateApp(app.uuid, { description })}
      />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sortBy: (app) => app.status,
    cell: (app) => <StatusBadge status={app.status} reason={app.rejection_reason} />,
  },
  {
    id: 'link',
    header: 'Link',
    cell: (app) => (
      <a className={classes['link']} href={app.store_link} target="_blank" rel="noopener noreferrer">
        App market URL
      </a>
    ),
  },
  {
    id: 'bundle',
    header: 'App Market Bundle ID',
    sortBy: (app) => app.bundle_id,
    cell: (app) => <CopyText value={app.bundle_id} label="bundle id" full />,
  },
  {
    id: 'mmp',
    header: 'MMP',
    sortBy: (app) => app.mobile_measurement_partner,
    cell: (app) => mmpNames[app.mobile_measurement_partner],
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (app) => (
      <Group gap={4} wrap="nowrap">
        <RowLink to="/edit-app" search={{ uuid: app.uuid }} aria-label={`Edit ${app.name}`}>
          Edit
        </RowLink>
        <ArchiveMenu path="app" uuid={app.uuid} name={app.name} archivedAt={app.archived_at} />
      </Group>
    ),
  },
];

const searchText = (app: App) => `${app.name} ${app.bundle_id} ${app.uuid}`;
const isArchived = ({ archived_at: archivedAt }: App) => archivedAt !== null;

/** The apps of the company. */
export function AppsTab() {
  const { data: apps } = useQuery(appsQuery);
  const [table, setTable] = useTableSearch();
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = (apps ?? []).filter((app) => selected.includes(app.uuid));
  const [deleting, { open, close }] = useDisclosure(false);
  const add = (
    <ButtonLink to="/add-app" leftSection={<IconPlus size={16} />}>
      Add app
    </ButtonLink>
  );
  return (
    <>
      <DataTable
        label="apps"
        columns={columns}
        rows={apps}
        rowId={(app) => app.uuid}
        rowName={(app) => app.name}
        searchText={searchText}
        isArchived={isArchived}
        state={table}
        onStateChange={setTable}
        selected={chosen.map((app) => app.uuid)}
        onSelect={setSelected}
        toolbar={add}
        bulkActions={
          <Button color="red.8" leftSection={<IconTrash size={16} />} onClick={open}>
            Delete {chosen.length}
          </Button>
        }
        empty={
          <EmptyState
            title={messages.emptyTable}
            text="Campaigns promote an app: begin with its store link."
            action={add}
          />
        }
      />
      {deleting && (
        <DeleteAppsDialog
          apps={chosen}
          onClose={close}
          onDeleted={() => {
            setSelected([]);
            close();
          }}
        />
      )}
    </>
  );
}

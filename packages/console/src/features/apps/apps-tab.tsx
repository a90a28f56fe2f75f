import type { App } from '@bidwell/contract/app';
import { messages } from '@bidwell/contract/messages';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../../lib/queries/apps.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { appColumns } from './app-columns.tsx';
import { DeleteAppsDialog } from './delete-apps-dialog.tsx';

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
        columns={appColumns}
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

import type { App } from '@bidwell/contract/apps/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../lib/api/use-may.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { EntityTable } from '../../ui/table/entity-table.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { appColumns } from './app-columns.tsx';
import { DeleteAppsDialog } from './delete-apps-dialog.tsx';

const searchText = (app: App) => `${app.name} ${app.bundle_id} ${app.uuid}`;

const filters = { statusOf: (app: App) => app.status };

/** Table of the company's apps, where several can be deleted at once. */
export function AppsTab() {
  const figures = useLoadable(appsQuery);
  const apps = knownData(figures);
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = apps ? apps.filter((app) => selected.includes(app.uuid)) : [];
  const mayWrite = useMay('app.write');
  const [deleting, { open, close }] = useDisclosure(false);
  return (
    <>
      <EntityTable
        label="apps"
        columns={appColumns}
        rows={apps}
        figures={figures}
        searchText={searchText}
        filters={filters}
        {...(mayWrite !== false && {
          isSelectable: () => mayWrite === true,
          selected: chosen.map((app) => app.uuid),
          onSelect: setSelected,
          bulkActions: (
            <Button color="red.8" leftSection={<IconTrash size={16} />} onClick={open}>
              Delete {chosen.length}
            </Button>
          ),
        })}
        emptyText={screenMessages.appsEmpty}
        add={
          <IfMay permission="app.write">
            <ButtonLink to="/add-app" leftSection={<IconPlus size={16} />}>
              Add app
            </ButtonLink>
          </IfMay>
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

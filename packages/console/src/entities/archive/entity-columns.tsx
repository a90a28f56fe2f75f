import { Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { type EntityList, isPresent } from '../../lib/api/present-entities.ts';
import { ArchiveMenu } from './archive-menu.tsx';
import { InlineEdit } from '../../ui/form/inline/inline-edit.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import type { Column } from '../../ui/table/table-state.ts';

interface Entity {
  uuid: string;
  name: string;
}

/** What a change of an entity takes. */
type EditPermission = ComponentProps<typeof InlineEdit>['permission'];

/** The title, editable in place. */
export function titleColumn<Row extends Entity>(
  list: EntityList<Row>,
  save: (uuid: string, changes: { name: string }) => Promise<unknown>,
  permission: EditPermission,
): Column<Row> {
  return {
    id: 'name',
    header: 'Title',
    sortBy: ({ name }) => name,
    cell: ({ uuid, name }) => (
      <InlineEdit
        label="Title"
        kind="title"
        permission={permission}
        value={name}
        onSave={(changed) => save(uuid, { name: changed })}
        isPresent={async (text) => isPresent(list, uuid, (present) => present.name === text)}
      />
    ),
  };
}

/** The description, editable in place. */
export function descriptionColumn<Row extends Entity & { description: string }>(
  list: EntityList<Row>,
  save: (uuid: string, changes: { description: string }) => Promise<unknown>,
  permission: EditPermission,
): Column<Row> {
  return {
    id: 'description',
    header: 'Description',
    cell: ({ uuid, description }) => (
      <InlineEdit
        label="Description"
        kind="description"
        permission={permission}
        value={description}
        onSave={(changed) => save(uuid, { description: changed })}
        isPresent={async (text) => isPresent(list, uuid, (present) => present.description === text)}
      />
    ),
  };
}

/** The actions of a row, side by side. */
export function actionsColumn<Row>(actions: (row: Row) => ReactNode): Column<Row> {
  return {
    id: 'actions',
    header: 'Actions',
    actions: true,
    fixed: true,
    cell: (row) => (
      <Group gap={2} wrap="nowrap" justify="flex-end">
        {actions(row)}
      </Group>
    ),
  };
}

/** A link to the form of an entity, and the menu that archives it. `path` names the entity in the API. */
export function editColumn<Row extends Entity & { archived_at: string | null }>(
  to: '/creative-groups/edit' | '/targets/edit' | '/tracking-links/edit',
  path: ComponentProps<typeof ArchiveMenu>['path'],
): Column<Row> {
  return actionsColumn(({ uuid, name, archived_at: archivedAt }) => (
    <>
      <ButtonLink to={to} search={{ uuid }} variant="subtle" size="compact-sm" aria-label={`Edit ${name}`}>
        Edit
      </ButtonLink>
      <ArchiveMenu path={path} uuid={uuid} name={name} archivedAt={archivedAt} />
    </>
  ));
}

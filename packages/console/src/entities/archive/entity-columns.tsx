import { Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { EntityVersion } from '@bidwell/contract/lib/version';
import { type EntityList, readPresent } from '../../lib/api/present-entities.ts';
import { fieldInPlace } from '../../ui/form/inline/edited-field.ts';
import { ArchiveMenu } from './archive-menu.tsx';
import { InlineEdit } from '../../ui/form/inline/inline-edit.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import type { Column } from '../../ui/table/table-state.ts';

interface Entity {
  uuid: string;
  name: string;
}

/** The permission to change an entity. */
type EditPermission = ComponentProps<typeof InlineEdit>['permission'];

/** How a field of the entities of a list is saved in place. */
interface SaveOptions<Row extends Entity, Changes> {
  list: EntityList<Row>;
  version: Pick<EntityVersion, 'ignoring'>;
  save: (uuid: string, changes: Changes, version: string | undefined) => Promise<unknown>;
  permission: EditPermission;
}

/** The title, editable in place. */
export function titleColumn<Row extends Entity>({
  permission,
  ...saving
}: SaveOptions<Row, { name: string }>): Column<Row> {
  return {
    id: 'name',
    header: 'Title',
    sortBy: ({ name }) => name,
    cell: (row) => (
      <InlineEdit
        label="Title"
        kind="title"
        permission={permission}
        field={fieldOfRow(row, 'name', { ...saving, changesOf: (name) => ({ name }) })}
      />
    ),
  };
}

/** The description, editable in place. */
export function descriptionColumn<Row extends Entity & { description: string }>({
  permission,
  ...saving
}: SaveOptions<Row, { description: string }>): Column<Row> {
  return {
    id: 'description',
    header: 'Description',
    cell: (row) => (
      <InlineEdit
        label="Description"
        kind="description"
        permission={permission}
        field={fieldOfRow(row, 'description', { ...saving, changesOf: (description) => ({ description }) })}
      />
    ),
  };
}

/** A text of a row, which is saved by itself. */
function fieldOfRow<Name extends string, Row extends Entity & Record<Name, string>, Changes>(
  row: Row,
  name: Name,
  {
    list,
    version,
    save,
    changesOf,
  }: Omit<SaveOptions<Row, Changes>, 'permission'> & { changesOf: (text: string) => Changes },
) {
  return fieldInPlace<Row, string>({
    saved: row,
    valueOf: (item) => item[name],
    version,
    reload: async () => (await readPresent(list)).get(row.uuid) ?? row,
    send: async (text, present) => save(row.uuid, changesOf(text), present),
  });
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

import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { TableState } from '../../lib/table-search.ts';
import { type ReactNode, useMemo } from 'react';
import { compareNames } from '../../lib/format/compare-names.ts';
import { ColumnChoice, type ColumnChoiceState } from './column-choice.tsx';
import classes from './data-table.module.css';
import { SearchField } from './search-field.tsx';
import { Segments } from '../layout/segments.tsx';
import type { Column, TableFilters } from './table-state.ts';
import type { TableData } from './use-table-view.ts';

interface TableToolbarProps<Row> extends TableData<Row> {
  /** Describes the table to screen readers. */
  label: string;
  /** The rows before the filters and the search. */
  current: readonly Row[];
  onChange: (changes: TableState) => void;
  selected: readonly string[];
  onSelect?: ((ids: string[]) => void) | undefined;
  bulkActions?: ReactNode;
  toolbar?: ReactNode;
  columnsKey?: string;
  choice: ColumnChoiceState<Row>;
}

/** The search, the filters and the actions above a table. */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { label, columns, rows, searchText, isArchived, state, onChange, selected, choice } = props;
  return (
    <Group p="sm" justify="space-between" gap="xs">
      <Group gap="xs" className={classes['filters'] ?? ''}>
        {searchText && (
          <SearchField
            label={label}
            value={state.q ?? ''}
            onChange={(q) => onChange({ q, page: undefined })}
          />
        )}
        {props.filters && (
          <TableFilterFields filters={props.filters} rows={props.current} state={state} onChange={onChange} />
        )}
        <SortSelect
          columns={columns}
          sort={state.sort}
          onSort={(sort) => onChange({ sort, page: undefined })}
        />
      </Group>
      <Group gap="xs">
        {isArchived && (state.archived || rows?.some(isArchived)) && (
          <ArchivedFilter archived={state.archived ?? false} onChange={onChange} />
        )}
        {props.bulkActions && selected.length > 0 ? (
          <BulkActions count={selected.length} onClear={() => props.onSelect?.([])}>
            {props.bulkActions}
          </BulkActions>
        ) : (
          props.toolbar
        )}
        {props.columnsKey && (
          <ColumnChoice columns={columns} isShown={choice.isShown} onToggle={choice.toggle} />
        )}
      </Group>
    </Group>
  );
}

interface ArchivedFilterProps {
  archived: boolean;
  onChange: (changes: TableState) => void;
}

function ArchivedFilter({ archived, onChange }: ArchivedFilterProps) {
  return (
    <Segments
      small
      label="Show current or archived"
      value={archived ? 'archived' : 'current'}
      onChange={(view) => onChange({ archived: view === 'archived' || undefined, page: undefined })}
      options={[
        { value: 'current', label: 'Current' },
        { value: 'archived', label: 'Archived' },
      ]}
    />
  );
}

interface BulkActionsProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

function BulkActions({ count, onClear, children }: BulkActionsProps) {
  return (
    <Group gap="xs" role="group" aria-label="With the selected rows">
      <Text size="sm" fw={600} aria-live="polite">
        {count} selected
      </Text>
      {children}
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}

interface SortSelectProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** Sorts a table whose rows are cards, on a phone, where no column has a head. */
function SortSelect<Row>({ columns, sort, onSort }: SortSelectProps<Row>) {
  return (
    <NativeSelect
      aria-label="Sort by"
      hiddenFrom="sm"
      value={sort ?? ''}
      onChange={({ currentTarget }) => onSort(currentTarget.value || undefined)}
      data={[
        { value: '', label: 'Not sorted' },
        ...columns
          .filter(({ sortBy }) => sortBy)
          .flatMap(({ id, header }) => [
            { value: id, label: `${header}, ascending` },
            { value: `-${id}`, label: `${header}, descending` },
          ]),
      ]}
    />
  );
}

interface TableFilterFieldsProps<Row> extends Pick<TableToolbarProps<Row>, 'state' | 'onChange'> {
  filters: TableFilters<Row>;
  /** The rows that the filters choose from. */
  rows: readonly Row[];
}

/** Limits a table to one status, to one app and to one kind; each is offered once there are two of them. */
function TableFilterFields<Row>({ filters, rows, state, onChange }: TableFilterFieldsProps<Row>) {
  const { statuses, apps, kinds } = useMemo(() => choicesOf(rows, filters), [rows, filters]);
  return (
    <>
      {(statuses.length > 1 || (filters.statusOf && state.status !== undefined)) && (
        <NativeSelect
          aria-label="Status"
          value={state.status ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ status: currentTarget.value || undefined, page: undefined })
          }
          data={[
            { value: '', label: 'All statuses' },
            ...withChosen(statuses, state.status).map((status) => ({ value: status, label: status })),
          ]}
        />
      )}
      {(kinds.size > 1 || (filters.kindOf && state.kind !== undefined)) && (
        <NativeSelect
          aria-label="Kind"
          value={state.kind ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ kind: currentTarget.value || undefined, page: undefined })
          }
          data={[
            { value: '', label: 'All kinds' },
            ...withChosen([...kinds.keys()], state.kind).map((kind) => ({
              value: kind,
              label: kinds.get(kind) ?? 'Another kind',
            })),
          ]}
        />
      )}
      {(apps.size > 1 || (filters.appsOf && state.app !== undefined)) && (
        <NativeSelect
          aria-label="App"
          maw={200}
          value={state.app ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ app: currentTarget.value || undefined, page: undefined })
          }
          data={[
            { value: '', label: 'All apps' },
            ...withChosen([...apps.keys()], state.app).map((uuid) => ({
              value: uuid,
              label: apps.get(uuid) ?? 'Another app',
            })),
          ]}
        />
      )}
    </>
  );
}

/** The statuses, the kinds and the apps of the rows, by name. */
function choicesOf<Row>(rows: readonly Row[], { statusOf, appsOf, kindOf }: TableFilters<Row>) {
  const statuses = new Set<string>();
  const kinds = new Map<string, string>();
  const apps = new Map<string, string>();
  for (const row of rows) {
    const kind = kindOf?.(row);
    if (kind) kinds.set(kind.value, kind.label);
    const status = statusOf?.(row);
    if (status) statuses.add(status);
    for (const { uuid, name } of appsOf?.(row) ?? []) apps.set(uuid, name);
  }
  return {
    statuses: [...statuses].sort(compareNames),
    kinds: byName(kinds),
    apps: byName(apps),
  };
}

const byName = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...names].sort(([, a], [, b]) => compareNames(a, b)));

/** A chosen value stays in its list when no row has it any more. */
const withChosen = (values: readonly string[], chosen: string | undefined) =>
  chosen === undefined || values.includes(chosen) ? values : [...values, chosen];

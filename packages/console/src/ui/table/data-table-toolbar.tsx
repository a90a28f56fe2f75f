import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColumnChoice, type ColumnChoiceState } from './column-choice.tsx';
import classes from './data-table.module.css';
import { SearchField } from './search-field.tsx';
import { Segments } from '../layout/segments.tsx';
import { SortSelect } from './sort-select.tsx';
import { TableFilterFields } from './table-filters.tsx';
import type { Column, TableFilters, TableState } from './table-state.ts';

interface TableToolbarProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  searchText?: (row: Row) => string;
  isArchived?: (row: Row) => boolean;
  filters?: TableFilters<Row>;
  /** The rows before the filters and the search. */
  current: readonly Row[];
  state: TableState;
  onChange: (changes: TableState) => void;
  selected: readonly string[];
  onSelect?: (ids: string[]) => void;
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

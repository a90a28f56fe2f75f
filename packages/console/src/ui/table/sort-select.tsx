import { NativeSelect } from '@mantine/core';
import type { Column } from './table-state.ts';

interface SortSelectProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** Sorts a table whose rows are cards, on a phone, where no column has a head. */
export function SortSelect<Row>({ columns, sort, onSort }: SortSelectProps<Row>) {
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

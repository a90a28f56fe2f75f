import { Group, NativeSelect, Pagination } from '@mantine/core';
import { Muted } from '../layout/muted.tsx';
import { PAGE_SIZES, type TableState } from './table-state.ts';

interface TableFooterProps {
  /** Number of rows on all pages; undefined while it is not known. */
  total: number | undefined;
  /** From 1. */
  number: number;
  /** Number of pages. */
  count: number;
  /** Rows per page. */
  size: number;
  onChange: (changes: TableState) => void;
}

/** The page size, the number of rows and the pages below a table. */
export function TableFooter({ total, number, count, size, onChange }: TableFooterProps) {
  return (
    <Group p="sm" justify="space-between">
      <Group gap="xs">
        <Muted size="xs">Rows per page</Muted>
        <NativeSelect
          aria-label="Rows per page"
          data={PAGE_SIZES.map(String)}
          value={String(size)}
          onChange={({ currentTarget }) => onChange({ size: Number(currentTarget.value), page: undefined })}
          w={76}
          size="xs"
        />
        {total !== undefined && <Muted size="xs">{total} total</Muted>}
      </Group>
      {count > 1 && (
        <Pagination
          size="sm"
          total={count}
          value={number}
          onChange={(page) => onChange({ page: page === 1 ? undefined : page })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  );
}

import { Group, Pagination } from '@mantine/core';
import { Caption } from './text.tsx';

interface PagesProps {
  /** Describes the list to screen readers. */
  label: string;
  /** Undefined while it is not known: then there is nothing to page. */
  total: number | undefined;
  perPage: number;
  /** From 1. */
  page: number;
  onChange: (page: number) => void;
}

/** Footer of a list paged by the server: the range shown, the total, and the pages. */
export function Pages({ label, total, perPage, page, onChange }: PagesProps) {
  if (total === undefined) return null;
  const pages = Math.ceil(total / perPage);
  if (pages <= 1 && page === 1) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <Group p="sm" justify="space-between" component="nav" aria-label={label}>
      <Caption>
        {first <= total ? `${first}–${Math.min(total, page * perPage)} of ${total}` : `${total} total`}
      </Caption>
      <Pagination
        size="sm"
        total={Math.max(1, pages)}
        value={page}
        onChange={onChange}
        withEdges={pages > 7}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  );
}

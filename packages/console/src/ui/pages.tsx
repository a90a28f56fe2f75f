import { Group, Pagination, Text } from '@mantine/core';

interface PagesProps {
  /** What is paged, for screen readers. */
  label: string;
  total: number;
  perPage: number;
  /** From 1. */
  page: number;
  onChange: (page: number) => void;
}

/** The foot of a list that the server pages: which of how many are shown, and the way to the others. */
export function Pages({ label, total, perPage, page, onChange }: PagesProps) {
  const pages = Math.ceil(total / perPage);
  if (pages <= 1 && page === 1) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <Group p="sm" justify="space-between" component="nav" aria-label={label}>
      <Text size="xs" c="dimmed">
        {first <= total ? `${first}–${Math.min(total, page * perPage)} of ${total}` : `${total} in all`}
      </Text>
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

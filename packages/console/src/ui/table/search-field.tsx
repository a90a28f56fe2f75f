import { Autocomplete, CloseButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchHistory } from '../../lib/search-history.ts';

interface SearchFieldProps {
  /** Plural noun of the searched items, for example campaigns. */
  label: string;
  value: string;
  onChange: (q: string | undefined) => void;
}

/** Search field of a list; suggests recent searches. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [history, addToHistory] = useSearchHistory(label.toLowerCase());
  return (
    <Autocomplete
      aria-label={`Search ${label}`}
      placeholder="Search"
      leftSection={<IconSearch size={15} />}
      rightSection={
        value === '' ? null : (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => onChange(undefined)} />
        )
      }
      data={history.length > 0 ? [{ group: 'Recent searches', items: [...history] }] : []}
      value={value}
      onChange={(q) => onChange(q || undefined)}
      onBlur={() => addToHistory(value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') addToHistory(value);
      }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}

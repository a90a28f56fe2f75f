import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useKnown } from '../../lib/loadable.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { levelQuery } from '../../entities/reports/queries.ts';
import type { Choice } from './campaign-creatives.ts';
import { levelLabels } from './report-columns.ts';
import { FILTER_KEYS, type FilterKey, type Filters } from './report-search.ts';

const AddFilterDialog = lazyPart(() => import('./add-filter-dialog.tsx'), 'AddFilterDialog', {
  as: 'dialog',
});

interface ReportFiltersProps {
  filters: Filters;
  range: { start: string; end: string };
  campaignUuid: string | undefined;
  onChange: (filters: Partial<Record<string, readonly string[]>>) => void;
  onReset: () => void;
}

/** Filters of a report: a chip for each key, a dialog that adds filters, and a button that resets them. */
export function ReportFilters({ filters, range, campaignUuid, onChange, onReset }: ReportFiltersProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const keys = FILTER_KEYS.filter((key) => filters[key] !== undefined);
  // The options are the values that occur in the range, with their names.
  const optionsOf = (key: FilterKey) => optionsQuery(range, key, campaignUuid);
  return (
    <>
      <SecondaryButton leftSection={<IconFilter size={16} />} onClick={open}>
        Add filter
      </SecondaryButton>
      {keys.map((key) => (
        <FilterChip
          key={key}
          filterKey={key}
          values={filters[key] ?? []}
          query={optionsOf(key)}
          onOpen={open}
          onRemove={() => onChange({ ...filters, [key]: [] })}
        />
      ))}
      {(keys.length > 0 || campaignUuid !== undefined) && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          Reset all filters
        </Button>
      )}
      {opened && (
        <Suspense>
          <AddFilterDialog
            opened
            onClose={close}
            available={FILTER_KEYS.map((key) => ({
              key,
              label: levelLabels[key],
              loader: async () => choicesOf(await queries.fetchQuery(optionsOf(key))),
            }))}
            value={filters as Record<string, string[]>}
            onApply={onChange}
          />
        </Suspense>
      )}
    </>
  );
}

const optionsQuery = (
  range: { start: string; end: string },
  key: FilterKey,
  campaignUuid: string | undefined,
) => ({
  ...levelQuery(range, [key], campaignUuid ? { campaign: campaignUuid } : {}),
  staleTime: 60_000,
  refetchInterval: false as const,
});

const choicesOf = (report: { rows: { value: string; name: string }[] }): Choice[] =>
  report.rows.filter(({ value }) => value !== '').map(({ value, name }) => ({ value, label: name }));

interface FilterChipProps {
  filterKey: FilterKey;
  values: readonly string[];
  query: ReturnType<typeof optionsQuery>;
  onOpen: () => void;
  onRemove: () => void;
}

function FilterChip({ filterKey, values, query, onOpen, onRemove }: FilterChipProps) {
  const data = useKnown(query);
  const names = new Map(data?.rows.map(({ value, name }) => [value, name]));
  const [only] = values;
  const text =
    values.length === 1 && only !== undefined ? (names.get(only) ?? only) : `${values.length} chosen`;
  return (
    <Paper withBorder radius="md" pl="xs" pr={4} h={36} bg="var(--mantine-primary-color-light)">
      <Group gap={4} h="100%" wrap="nowrap">
        <Text
          component="button"
          type="button"
          size="sm"
          onClick={onOpen}
          maw={260}
          truncate
          style={{ background: 'none', border: 0, padding: 0, cursor: 'pointer', color: 'inherit' }}
          title={values.map((value) => names.get(value) ?? value).join(', ')}
        >
          {levelLabels[filterKey]}: <b>{text}</b>
        </Text>
        <CloseButton
          size="sm"
          onClick={onRemove}
          aria-label={`Remove the filter ${levelLabels[filterKey]}`}
        />
      </Group>
    </Paper>
  );
}

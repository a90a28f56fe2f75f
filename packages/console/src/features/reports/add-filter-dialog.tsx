import {
  Accordion,
  Badge,
  Button,
  Checkbox,
  Group,
  Loader,
  Modal,
  ScrollArea,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { type Loadable, isKnown, knownAs, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';

interface FilterOption {
  value: string;
  label: string;
}

/** A filter that can be added; its options are given, or loaded when its values are shown. */
interface AvailableFilter {
  key: string;
  label: string;
  options?: readonly FilterOption[];
  loader?: () => Promise<readonly FilterOption[]>;
}

type FilterValuesByKey = Readonly<Record<string, readonly string[]>>;

interface AddFilterDialogProps {
  opened: boolean;
  onClose: () => void;
  available: readonly AvailableFilter[];
  /** Selected values by filter; a filter without values is inactive. */
  value: FilterValuesByKey;
  /** Called with the filters that have values; with none after 'Reset all filters'. */
  onApply: (value: Record<string, string[]>) => void;
}

/** Maximum number of options rendered; the search finds the others. */
const SHOWN_MAX = 200;
/** Fewer options than this are shown without a search field. */
const SEARCH_FROM = 8;

/** Dialog that selects filters and their values; the search finds a filter by its name. Changes apply only on Apply. */
export function AddFilterDialog(props: AddFilterDialogProps) {
  return (
    <Modal centered={false} opened={props.opened} onClose={props.onClose} title="Add filter" size="lg">
      {props.opened && <FilterForm {...props} />}
    </Modal>
  );
}

function FilterForm({ available, value, onApply, onClose }: AddFilterDialogProps) {
  useFocusReturn();
  const [draft, setDraft] = useState<FilterValuesByKey>(value);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const found = available.filter(({ label }) => contains(label, search));
  const count = available.filter(({ key }) => (draft[key]?.length ?? 0) > 0).length;
  const apply = (filters: FilterValuesByKey) => {
    const active = Object.entries(filters).filter(([, values]) => values.length > 0);
    onApply(Object.fromEntries(active.map(([key, values]) => [key, [...values]])));
    onClose();
  };
  return (
    <Stack>
      <TextInput
        aria-label="Search filters"
        placeholder="Search filters"
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah="58dvh" type="auto">
        <Accordion
          variant="contained"
          value={open}
          onChange={setOpen}
          order={3}
          styles={{ label: { paddingBlock: 9 } }}
        >
          {found.map((filter) => (
            <Accordion.Item key={filter.key} value={filter.key}>
              <Accordion.Control>
                <Group gap="xs">
                  <Text size="sm" fw={500}>
                    {filter.label}
                  </Text>
                  {(draft[filter.key]?.length ?? 0) > 0 && (
                    <Badge size="sm" variant="light">
                      {draft[filter.key]?.length} selected
                    </Badge>
                  )}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                {open === filter.key && (
                  <FilterValues
                    filter={filter}
                    value={draft[filter.key] ?? []}
                    onChange={(values) => setDraft({ ...draft, [filter.key]: values })}
                  />
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </ScrollArea.Autosize>
      {found.length === 0 && <Muted role="status">No filter matches “{search.trim()}”.</Muted>}
      <Group justify="space-between">
        <Button variant="subtle" color="gray" disabled={count === 0} onClick={() => apply({})}>
          Reset all filters
        </Button>
        <Group gap="xs">
          <SecondaryButton onClick={onClose}>Cancel</SecondaryButton>
          <Button onClick={() => apply(draft)}>Apply</Button>
        </Group>
      </Group>
    </Stack>
  );
}

interface FilterValuesProps {
  filter: AvailableFilter;
  value: readonly string[];
  onChange: (values: string[]) => void;
}

function FilterValues({ filter, value, onChange }: FilterValuesProps) {
  const options = useOptions(filter);
  const [search, setSearch] = useState('');
  if (!isKnown(options))
    return (
      <FigureFrame
        figures={options}
        what="The values"
        skeleton={<Loader size="sm" type="dots" aria-label={`Loading ${filter.label}`} />}
      >
        {null}
      </FigureFrame>
    );
  const all = withUnknown(options.data, value);
  const matching = all.filter(({ label, value: id }) => contains(`${label} ${id}`, search));
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...value, id] : value.filter((other) => other !== id));
  return (
    <Stack gap="xs">
      {all.length >= SEARCH_FROM && (
        <TextInput
          aria-label={`Search ${filter.label}`}
          placeholder="Search"
          size="xs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={240} type="auto">
        <Stack gap={8} role="group" aria-label={filter.label} p={2}>
          {matching.slice(0, SHOWN_MAX).map((option) => (
            <Checkbox
              key={option.value}
              size="xs"
              label={option.label}
              checked={value.includes(option.value)}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {matching.length === 0 && (
        <Caption>{all.length === 0 ? 'No values in this period.' : 'Nothing matches.'}</Caption>
      )}
      {matching.length > SHOWN_MAX && (
        <Caption>{matching.length - SHOWN_MAX} more: narrow the search to see them</Caption>
      )}
      {value.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          w="fit-content"
          onClick={() => onChange([])}
          aria-label={`Clear ${filter.label}`}
        >
          Clear
        </Button>
      )}
    </Stack>
  );
}

/** A filter's options, loaded when its values are shown. */
function useOptions({ key, options, loader }: AvailableFilter): Loadable<readonly FilterOption[]> {
  const loaded = useLoadable({
    queryKey: ['filter-options', key],
    queryFn: () => loader!(),
    enabled: options === undefined,
    // The loader has a cache of its own; a second one here could be stale.
    gcTime: 0,
    staleTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  return options ? knownAs(options) : loaded;
}

/** Appends selected values that are no longer options, so that they can still be seen and removed. */
function withUnknown(options: readonly FilterOption[], value: readonly string[]): FilterOption[] {
  const known = new Set(options.map((option) => option.value));
  return [...options, ...value.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id }))];
}

function contains(text: string, search: string): boolean {
  return text.toLowerCase().includes(search.trim().toLowerCase());
}

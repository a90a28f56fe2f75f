import { Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns } from '@tabler/icons-react';
import { SecondaryButton } from '../layout/buttons.tsx';
import type { Column } from './table-state.ts';

/** The columns of a table that are shown. */
export interface ColumnChoiceState<Row> {
  shown: readonly Column<Row>[];
  isShown: (column: Column<Row>) => boolean;
  toggle: (id: string) => void;
}

/**
 * The columns of a table that were shown or hidden by choice, stored in this browser under `key`: ids with a plus or a minus in
 * front. An id without a sign was stored by an earlier release, and differs from the default that its column had then.
 */
export function useStoredColumns(key: string | undefined) {
  return useLocalStorage<string[]>({
    key: `bidwell.columns.${key ?? 'none'}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
}

/** Whether a column was shown or hidden by choice, by what {@link useStoredColumns} returns; undefined without a choice. Pure. */
export function chosenVisibility(
  stored: readonly string[],
  { id, hidden = false, wasShown = false }: Pick<Column<never>, 'id' | 'hidden' | 'wasShown'>,
): boolean | undefined {
  if (stored.includes(`+${id}`)) return true;
  if (stored.includes(`-${id}`)) return false;
  return stored.includes(id) ? hidden && !wasShown : undefined;
}

/**
 * Which columns of a table are shown, stored in this browser under `key`; all without a key. A choice stays when the default of
 * its column changes, and a column without a choice follows its default.
 */
export function useColumnChoice<Row>(
  key: string | undefined,
  columns: readonly Column<Row>[],
): ColumnChoiceState<Row> {
  const [stored, setStored] = useStoredColumns(key);
  const isShown = (column: Column<Row>) =>
    key === undefined ||
    column.fixed === true ||
    (chosenVisibility(stored, column) ?? (column.suggested === true || !column.hidden));
  const toggle = (id: string) => {
    const column = columns.find((one) => one.id === id);
    if (!column) return;
    const others = stored.filter((other) => ![id, `+${id}`, `-${id}`].includes(other));
    setStored([...others, `${isShown(column) ? '-' : '+'}${id}`]);
  };
  return { shown: columns.filter(isShown), isShown, toggle };
}

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[];
  isShown: (column: Column<Row>) => boolean;
  onToggle: (id: string) => void;
}

/** Button that opens the column selection. */
export function ColumnChoice<Row>({ columns, isShown, onToggle }: ColumnChoiceProps<Row>) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <SecondaryButton leftSection={<IconColumns size={16} />}>Columns</SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown mah="min(70vh, 560px)" style={{ overflowY: 'auto' }}>
        <Stack gap={8} role="group" aria-label="Columns">
          {columns
            .filter((column) => !column.fixed)
            .map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={column.header}
                checked={isShown(column)}
                onChange={() => onToggle(column.id)}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

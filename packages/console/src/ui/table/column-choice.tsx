import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns } from '@tabler/icons-react';
import type { Column } from './table-state.ts';

/** The columns of a table that are shown. */
export interface ColumnChoiceState<Row> {
  shown: readonly Column<Row>[];
  isShown: (column: Column<Row>) => boolean;
  toggle: (id: string) => void;
}

/**
 * Ids of the columns of a table that are shown although hidden by default, or hidden, with a minus in front where the column was
 * suggested; stored in this browser under `key`.
 */
export function useChangedColumns(key: string | undefined) {
  return useLocalStorage<string[]>({
    key: `bidwell.columns.${key ?? 'none'}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
}

/**
 * Which columns of a table are shown, stored in this browser under `key`; all without a key. It stores the ids that
 * differ from the default, so that a column added later gets its default.
 */
export function useColumnChoice<Row>(
  key: string | undefined,
  columns: readonly Column<Row>[],
): ColumnChoiceState<Row> {
  const [changed, setChanged] = useChangedColumns(key);
  const isShown = (column: Column<Row>) =>
    key === undefined ||
    column.fixed === true ||
    Boolean(column.hidden) === changed.includes(column.id) ||
    (column.suggested === true && isSuggestionKept(changed, column.id));
  const toggle = (id: string) => {
    const column = columns.find((one) => one.id === id);
    if (!column?.suggested) {
      setChanged(changed.includes(id) ? changed.filter((other) => other !== id) : [...changed, id]);
      return;
    }
    const others = changed.filter((other) => other !== id && other !== hiddenMark(id));
    setChanged(isShown(column) ? [...others, hiddenMark(id)] : others);
  };
  return { shown: columns.filter(isShown), isShown, toggle };
}

const hiddenMark = (id: string) => `-${id}`;

/** Whether a column that is suggested was not hidden by choice, by the ids of {@link useChangedColumns}. Pure. */
export const isSuggestionKept = (changed: readonly string[], id: string): boolean =>
  !changed.includes(hiddenMark(id));

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
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          Columns
        </Button>
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

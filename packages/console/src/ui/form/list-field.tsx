import { Group, Input, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { QuietButton, SmallButton } from '../layout/buttons.tsx';
import { Muted } from '../layout/text.tsx';
import { ChipList } from './chip-list.tsx';

interface ListFieldProps {
  label: string;
  /** Stands after the label, for example the length of the list. */
  note?: ReactNode;
  /** Explains what an empty list means. */
  description: string;
  value: readonly string[];
  labelOf?: (value: string) => string;
  onChange: (value: string[]) => void;
  /** Caption of the button that opens the dialog. */
  action: string;
  onOpen: () => void;
  error?: string | undefined;
  /** The dialog. */
  children: ReactNode;
}

/** A list of values that can be removed one by one or all at once, with a button for a dialog that edits the list. */
export function ListField(props: ListFieldProps) {
  const { label, note, description, value, labelOf, onChange, action, onOpen, error, children } = props;
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
          {note}
        </Text>
        <Group gap={4} wrap="nowrap">
          {value.length > 0 && (
            <QuietButton onClick={() => onChange([])} aria-label={`Clear ${label.toLowerCase()}`}>
              Clear
            </QuietButton>
          )}
          <SmallButton onClick={onOpen} aria-label={`${action} ${label.toLowerCase()}`}>
            {action}
          </SmallButton>
        </Group>
      </Group>
      {value.length === 0 ? (
        <Muted>{description}</Muted>
      ) : (
        <ChipList
          value={value}
          {...(labelOf && { labelOf })}
          onRemove={(removed) => onChange(value.filter((other) => other !== removed))}
        />
      )}
      {error && <Input.Error>{error}</Input.Error>}
      {children}
    </Stack>
  );
}

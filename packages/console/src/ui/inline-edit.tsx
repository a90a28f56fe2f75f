import { limits } from '@bidwell/contract/limits';
import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { CountedInput, CountedTextarea } from './form-fields.tsx';

interface InlineEditProps {
  /** What is edited: Title, Description. */
  label: string;
  value: string;
  kind: 'title' | 'description';
  /** Saves; the dialog stays open and shows the error when it throws. */
  onSave: (value: string) => Promise<unknown>;
  /** What stands before the pencil; the value itself without it. */
  children?: ReactNode;
}

/** A text with a pencil that opens a dialog to change it (specification, section 5, Inline edit dialog). */
export function InlineEdit({ label, value, kind, onSave, children }: InlineEditProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Group gap={4} wrap="nowrap">
      {children ?? (
        <Text size="sm" lineClamp={2} c={value === '' ? 'dimmed' : undefined} title={value}>
          {value || '-'}
        </Text>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={open}
        data-inline-edit
        aria-label={`Edit ${label.toLowerCase()} ${value}`.trim()}
      >
        <IconPencil size={14} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title={`Edit ${label.toLowerCase()}`} centered>
        {opened && <EditForm label={label} value={value} kind={kind} onSave={onSave} onDone={close} />}
      </Modal>
    </Group>
  );
}

function EditForm({ label, value, kind, onSave, onDone }: InlineEditProps & { onDone: () => void }) {
  const [text, setText] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const max = kind === 'title' ? limits.titleMax : limits.inlineDescriptionMax;
  const save = async () => {
    setBusy(true);
    try {
      await onSave(text.trim());
      onDone();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Please try again.');
    } finally {
      setBusy(false);
    }
  };
  const tooLong = text.length > max;
  const empty = kind === 'title' && text.trim() === '';
  const props = { label, defaultValue: value, maxLength: max, error, 'data-autofocus': true };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!tooLong && !empty) void save();
      }}
    >
      <Stack>
        {kind === 'title' ? (
          <CountedInput {...props} onChange={(event) => setText(event.currentTarget.value)} />
        ) : (
          <CountedTextarea {...props} onChange={(event) => setText(event.currentTarget.value)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={tooLong || empty}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

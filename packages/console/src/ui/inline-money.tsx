import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { formatMoney } from '../lib/format.ts';
import { MoneyInput } from './form-fields.tsx';

interface InlineMoneyProps {
  /** What is edited: Daily budget. */
  label: string;
  /** Whose it is, for the button's name. */
  of: string;
  /** Dollars; null and, with `emptyText`, 0 stand for none. */
  value: number | null;
  /** What none means; without it a value is required. */
  emptyText?: string;
  description?: string;
  /** Dollars. */
  min?: number;
  max: number;
  /** Saves; the dialog stays open and shows the error when it throws. */
  onSave: (dollars: number | null) => Promise<unknown>;
}

/** An amount with a pencil that opens a dialog to change it: two decimals, capped at `max` (specification, section 5). */
export function InlineMoney(props: InlineMoneyProps) {
  const { label, of, value, emptyText } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const none = emptyText !== undefined && !value;
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={open}
        data-inline-edit
        aria-label={`Edit ${label.toLowerCase()} of ${of}`}
      >
        <IconPencil size={14} />
      </ActionIcon>
      <Text size="sm" c={none ? 'dimmed' : undefined} style={{ whiteSpace: 'nowrap' }}>
        {none ? emptyText : formatMoney(value)}
      </Text>
      <Modal opened={opened} onClose={close} title={`${label} of ${of}`} centered>
        {opened && <MoneyForm {...props} onDone={close} />}
      </Modal>
    </Group>
  );
}

function MoneyForm({
  label,
  value,
  emptyText,
  description,
  min = 0,
  max,
  onSave,
  onDone,
}: InlineMoneyProps & { onDone: () => void }) {
  const [dollars, setDollars] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (dollars === null ? emptyText === undefined : dollars < min) {
      return setError(min > 0 ? `Enter at least ${formatMoney(min)}` : 'Enter an amount');
    }
    setBusy(true);
    try {
      await onSave(dollars);
      onDone();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Please try again.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <MoneyInput
          label={label}
          {...(description !== undefined && { description })}
          {...(emptyText !== undefined && { placeholder: emptyText })}
          value={dollars}
          max={max}
          onChange={setDollars}
          error={error}
          autoFocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { consoleMessages } from '@bidwell/contract/messages';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { loadToasts, toastError, toastSuccess } from '../lib/toast.ts';

/** Long enough to read it and to reach the button by keyboard. */
const SHOWN_MS = 12_000;
let count = 0;

/** Says what was changed, with a button that sets it back by `undo`. */
export function toastUndo(message: string, undo: () => Promise<unknown>): void {
  count += 1;
  const id = `undo-${count}`;
  loadToasts().then(({ notifications }) => {
    const hide = () => notifications.hide(id);
    notifications.show({
      id,
      message: <UndoMessage message={message} undo={undo} onDone={hide} />,
      color: 'green',
      autoClose: SHOWN_MS,
    });
  }, console.error);
}

interface UndoMessageProps {
  message: string;
  undo: () => Promise<unknown>;
  onDone: () => void;
}

function UndoMessage({ message, undo, onDone }: UndoMessageProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await undo();
      toastSuccess(consoleMessages.undone);
    } catch (error) {
      toastError(error);
    } finally {
      onDone();
    }
  };
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        style={{ flexShrink: 0 }}
        loading={busy}
        onClick={() => void run()}
      >
        Undo
      </Button>
    </Group>
  );
}

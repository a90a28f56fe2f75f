import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Group } from '@mantine/core';
import { forEachConcurrent } from '../../lib/concurrent.ts';
import { loadToasts } from '../../lib/toast.ts';
import { useSave } from '../form/use-save.ts';
import { SmallButton } from './buttons.tsx';
import { LongText } from './text.tsx';

/** Long enough to read it and to reach the button by keyboard. */
const SHOWN_MS = 12_000;
/** Concurrent changes: one company must not keep the server busy. */
const CONCURRENCY = 4;
let count = 0;

/** An edit of one or several items that can be undone. */
interface UndoableEdit<Item> {
  items: readonly Item[];
  /** Reads which of them still have the values that the edit wrote. */
  readUnchanged: () => Promise<readonly Item[]>;
  /** Sets an item back. */
  restore: (item: Item) => Promise<unknown>;
}

/**
 * Names the change, with a button that undoes it. Values that someone has changed again since stay, and a message says so.
 */
export function toastUndo<Item>(message: string, edit: UndoableEdit<Item>): void {
  count += 1;
  const id = `undo-${count}`;
  loadToasts().then(({ notifications }) => {
    const hide = () => notifications.hide(id);
    notifications.show({
      id,
      message: <UndoMessage message={message} undo={() => undoEdit(edit)} onDone={hide} />,
      color: 'green',
      autoClose: SHOWN_MS,
    });
  }, console.error);
}

/**
 * Restores the values that are as the edit left them. Throws the first error, and one about values that were changed again since.
 */
async function undoEdit<Item>({ items, readUnchanged, restore }: UndoableEdit<Item>): Promise<void> {
  const unchanged = await readUnchanged();
  const errors: unknown[] = [];
  await forEachConcurrent(unchanged, CONCURRENCY, async (item) =>
    restore(item).catch((error: unknown) => errors.push(error)),
  );
  if (errors.length > 0) throw errors[0];
  if (unchanged.length < items.length)
    throw new Error(consoleMessages.undoOutdated(items.length - unchanged.length, items.length));
}

interface UndoMessageProps {
  message: string;
  undo: () => Promise<unknown>;
  onDone: () => void;
}

function UndoMessage({ message, undo, onDone }: UndoMessageProps) {
  const { save, busy } = useSave({
    send: undo,
    done: consoleMessages.undone,
    onSaved: onDone,
    onFailure: onDone,
  });
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <LongText>{message}</LongText>
      <SmallButton style={{ flexShrink: 0 }} loading={busy} onClick={() => save()}>
        Undo
      </SmallButton>
    </Group>
  );
}

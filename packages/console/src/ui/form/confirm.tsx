import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type SaveOptions, useSave } from './use-save.ts';

interface Question {
  title: string;
  /** A paragraph, or several. */
  text: string | readonly string[];
  /** Label of the button that confirms. */
  action: string;
}

/** Opens a confirmation dialog for a destructive action. */
export function confirmDestroy({
  title,
  text,
  action,
  onConfirm,
}: Question & { onConfirm: () => void }): void {
  modals.openConfirmModal({
    title,
    children: (
      <Stack gap="xs">
        {[text].flat().map((paragraph) => (
          <Text key={paragraph} size="sm">
            {paragraph}
          </Text>
        ))}
      </Stack>
    ),
    labels: { confirm: action, cancel: 'Cancel' },
    confirmProps: { color: 'red.8' },
    onConfirm,
  });
}

/** A destructive action that is sent once it is confirmed: `confirm` opens the dialog. */
export function useDestroy<Saved>({
  title,
  text,
  action,
  ...saving
}: Question & Omit<SaveOptions<void, Saved>, 'confirm'>) {
  const { save, busy } = useSave<void, Saved>(saving);
  return { confirm: () => confirmDestroy({ title, text, action, onConfirm: () => save() }), busy };
}

/** Asks the user to confirm something; false if the dialog is closed. */
export function confirmed({ title, text, action }: Question & { text: string }): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: action, cancel: 'Cancel' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}

import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';

/** Opens a confirmation dialog for a destructive action. */
export function confirmDestroy({
  title,
  text,
  action,
  onConfirm,
}: {
  title: string;
  /** A paragraph, or several. */
  text: string | readonly string[];
  action: string;
  onConfirm: () => void;
}): void {
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
    closeButtonProps: { 'aria-label': 'Close' },
    onConfirm,
  });
}

/** Asks the user to confirm something; false if the dialog is closed. */
export function confirmed({
  title,
  text,
  action,
}: {
  title: string;
  text: string;
  action: string;
}): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: action, cancel: 'Cancel' },
      closeButtonProps: { 'aria-label': 'Close' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}

import { Button, Group } from '@mantine/core';

interface FormButtonsProps {
  /** What submitting does: Save, Send request. */
  action: string;
  onCancel: () => void;
  busy: boolean;
  disabled?: boolean;
}

/** The foot of a form in a dialog. */
export function FormButtons({ action, onCancel, busy, disabled = false }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}

import { Button, Group } from '@mantine/core';
import { SecondaryButton } from '../layout/buttons.tsx';

interface FormButtonsProps {
  /** Label of the submit button, for example Save. */
  action: string;
  onCancel: () => void;
  busy: boolean;
  disabled?: boolean;
}

/** Cancel and submit buttons of a form in a dialog. */
export function FormButtons({ action, onCancel, busy, disabled = false }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
      <Button type="submit" loading={busy} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}

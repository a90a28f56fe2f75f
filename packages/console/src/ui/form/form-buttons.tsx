import { Button, type ButtonProps, Group } from '@mantine/core';
import { SecondaryButton } from '../layout/buttons.tsx';

interface FormButtonsProps extends Pick<ButtonProps, 'color'> {
  /** Label of the submit button, for example Save. */
  action: string;
  onCancel: () => void;
  busy: boolean;
  disabled?: boolean;
}

/** Cancel and submit buttons of a form in a dialog. */
export function FormButtons({ action, onCancel, busy, disabled = false, color }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
      <Button type="submit" loading={busy} disabled={disabled} color={color}>
        {action}
      </Button>
    </Group>
  );
}

/** The submit button of a form on a screen, at its end. */
export function SubmitButton({ busy, ...props }: ButtonProps & { busy: boolean }) {
  return (
    <Group justify="flex-end">
      <Button type="submit" loading={busy} {...props} />
    </Group>
  );
}

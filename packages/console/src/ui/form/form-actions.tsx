import { Button, Group } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import { ButtonLink } from '../layout/links.tsx';

interface FormActionsProps {
  /** The screen that Cancel returns to; in a drawer, the function that closes it. */
  cancel: Pick<LinkProps, 'to' | 'search'> | (() => void);
  /** Label of the submit button, for example Save target. */
  action: string;
  busy: boolean;
  className?: string | undefined;
}

/** Cancel and submit button of a form, on a screen of its own or in a drawer. */
export function FormActions({ cancel, action, busy, className }: FormActionsProps) {
  return (
    <Group justify="flex-end" className={className ?? ''}>
      {typeof cancel === 'function' ? (
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <ButtonLink {...cancel} variant="default">
          Cancel
        </ButtonLink>
      )}
      <Button type="submit" loading={busy}>
        {action}
      </Button>
    </Group>
  );
}

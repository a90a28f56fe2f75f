import { Button, Group } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import { ButtonLink } from './links.tsx';

interface FormActionsProps {
  /** The screen that Cancel returns to. */
  cancel: Pick<LinkProps, 'to' | 'search'>;
  /** Label of the submit button, for example Save target. */
  action: string;
  busy: boolean;
  className?: string | undefined;
}

/** Cancel link and submit button of a form on a screen of its own. */
export function FormActions({ cancel, action, busy, className }: FormActionsProps) {
  return (
    <Group justify="flex-end" className={className ?? ''}>
      <ButtonLink {...cancel} variant="default">
        Cancel
      </ButtonLink>
      <Button type="submit" loading={busy}>
        {action}
      </Button>
    </Group>
  );
}

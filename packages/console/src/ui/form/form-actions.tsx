import { messages } from '@bidwell/contract/text/messages';
import { Button, Group } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import { useMay } from '../../lib/api/use-may.ts';
import { SecondaryButton } from '../layout/buttons.tsx';
import { ButtonLink } from '../layout/links.tsx';
import { Muted } from '../layout/text.tsx';

interface FormActionsProps {
  /** The screen that Cancel returns to; in a drawer, the function that closes it. */
  cancel: Pick<LinkProps, 'to' | 'search'> | (() => void);
  /** Label of the submit button, for example Save target. */
  action: string;
  busy: boolean;
  /** The permission to send the form. */
  permission: Parameters<typeof useMay>[0];
  className?: string | undefined;
}

/** Cancel and submit button of a form, on a screen of its own or in a drawer. Says so to a user who may not send it. */
export function FormActions({ cancel, action, busy, permission, className }: FormActionsProps) {
  const maySend = useMay(permission);
  return (
    <Group justify="flex-end" className={className ?? ''}>
      {maySend === false && <Muted>{messages.roleForbids}</Muted>}
      {typeof cancel === 'function' ? (
        <SecondaryButton onClick={cancel}>Cancel</SecondaryButton>
      ) : (
        <ButtonLink {...cancel} variant="default">
          Cancel
        </ButtonLink>
      )}
      <Button type="submit" loading={busy} disabled={!maySend}>
        {action}
      </Button>
    </Group>
  );
}

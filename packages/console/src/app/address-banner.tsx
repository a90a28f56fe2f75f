import { Button, Group, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { requestAddressConfirmation } from '../entities/accounts/address-confirmation.ts';
import { useSave } from '../ui/form/use-save.ts';
import classes from './layout.module.css';

/** Says that the user has not confirmed their mail address, before which nothing else is sent there. */
export function AddressBanner({ email }: { email: string }) {
  const [isSent, setIsSent] = useState(false);
  const { save, busy } = useSave({
    send: requestAddressConfirmation,
    onSaved: () => setIsSent(true),
  });
  return (
    <Group
      component="section"
      aria-label="Mail address"
      className={classes['viewing']}
      justify="space-between"
      wrap="nowrap"
    >
      <Group gap="xs" wrap="nowrap">
        <IconMail size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} role="status">
          {isSent
            ? 'Another link is on its way to '
            : 'Confirm your mail address by the link that was sent to '}
          <b>{email}</b>. You get no other mails before.
        </Text>
      </Group>
      {!isSent && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          onClick={() => save()}
          loading={busy}
        >
          Send again
        </Button>
      )}
    </Group>
  );
}

import { accountMessages } from '@bidwell/contract/accounts/messages';
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { confirmAddress } from '../../entities/accounts/address-confirmation.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { AccountFrame } from './account-frame.tsx';

/** /confirm-address#TOKEN, the link of a mail: confirms a mail address, without a login. */
export function ConfirmAddressScreen() {
  const token = useLocation({ select: ({ hash }) => hash });
  const [confirmed, setConfirmed] = useState<string>();
  const { save, busy } = useSave({
    send: () => confirmAddress(token),
    onSaved: ({ email }) => setConfirmed(email),
  });
  if (confirmed !== undefined)
    return (
      <AccountFrame title="Address confirmed" text={accountMessages.addressConfirmed(confirmed)}>
        <SecondaryButton component={Link} to="/" fullWidth>
          Continue
        </SecondaryButton>
      </AccountFrame>
    );
  return (
    <AccountFrame
      title="Confirm your mail address?"
      text="From then on, mails are sent to this address. If you do not know what this is about, close this page."
    >
      <Button onClick={() => save()} loading={busy} disabled={token === ''} fullWidth>
        Confirm
      </Button>
    </AccountFrame>
  );
}

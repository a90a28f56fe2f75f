import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { unsubscribe } from '../../entities/alerts/queries.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { AccountFrame } from './account-frame.tsx';

/** /unsubscribe#TOKEN, the link of a mail: ends the mails of one company, without a login. */
export function UnsubscribeScreen() {
  const token = useLocation({ select: ({ hash }) => hash });
  const [company, setCompany] = useState<string>();
  const { save, busy } = useSave({
    send: () => unsubscribe(token),
    onSaved: ({ company_name }) => setCompany(company_name),
  });
  if (company !== undefined)
    return (
      <AccountFrame title="Mails ended" text={companyAlertMessages.unsubscribed(company)}>
        <SecondaryButton component={Link} to="/alerts" fullWidth>
          Choose again
        </SecondaryButton>
      </AccountFrame>
    );
  return (
    <AccountFrame title="End these mails?" text={companyAlertMessages.unsubscribe}>
      <Button onClick={() => save()} loading={busy} disabled={token === ''} fullWidth>
        End mails
      </Button>
    </AccountFrame>
  );
}

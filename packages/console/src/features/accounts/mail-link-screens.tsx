import { accountMessages } from '@bidwell/contract/accounts/messages';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { confirmAddress } from '../../entities/accounts/address-confirmation.ts';
import { unsubscribe } from '../../entities/alerts/queries.ts';
import { unsubscribeReport } from '../../entities/report-schedules/queries.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { AccountFrame } from './account-frame.tsx';

/** /confirm-address#TOKEN: confirms a mail address. */
export const ConfirmAddressScreen = () => (
  <MailLinkScreen
    title="Confirm your mail address?"
    text="From then on, mails are sent to this address. If you do not know what this is about, close this page."
    action="Confirm"
    send={confirmAddress}
    doneTitle="Address confirmed"
    doneText={({ email }) => accountMessages.addressConfirmed(email)}
    next={{ to: '/', label: 'Continue' }}
  />
);

/** /unsubscribe#TOKEN: ends the mails of one company. */
export const UnsubscribeScreen = () => (
  <MailLinkScreen
    title="End these mails?"
    text={companyAlertMessages.unsubscribe}
    action="End mails"
    send={unsubscribe}
    doneTitle="Mails ended"
    doneText={({ company_name }) => companyAlertMessages.unsubscribed(company_name)}
    next={{ to: '/alerts', label: 'Choose again' }}
  />
);

/** /unsubscribe-report#TOKEN: ends the mails of one scheduled report. */
export const UnsubscribeReportScreen = () => (
  <MailLinkScreen
    title="End these mails?"
    text={reportScheduleMessages.unsubscribeReport}
    action="End mails"
    send={unsubscribeReport}
    doneTitle="Mails ended"
    doneText={({ name }) => reportScheduleMessages.unsubscribedReport(name)}
    next={{ to: '/reports', label: 'Open the reports' }}
  />
);

interface MailLinkProps<Saved> {
  title: string;
  text: string;
  /** Label of the button that sends. */
  action: string;
  send: (token: string) => Promise<Saved>;
  doneTitle: string;
  doneText: (saved: Saved) => string;
  /** Where the button leads once it is done. */
  next: { to: '/' | '/alerts' | '/reports'; label: string };
}

/** What a link of a mail opens: asks, and sends the token of the link without a login. */
function MailLinkScreen<Saved>({
  title,
  text,
  action,
  send,
  doneTitle,
  doneText,
  next,
}: MailLinkProps<Saved>) {
  const token = useLocation({ select: ({ hash }) => hash });
  const [done, setDone] = useState<string>();
  const { save, busy } = useSave({
    send: () => send(token),
    onSaved: (saved) => setDone(doneText(saved)),
  });
  if (done !== undefined)
    return (
      <AccountFrame title={doneTitle} text={done}>
        <SecondaryButton component={Link} to={next.to} fullWidth>
          {next.label}
        </SecondaryButton>
      </AccountFrame>
    );
  return (
    <AccountFrame title={title} text={text}>
      <Button onClick={() => save()} loading={busy} disabled={token === ''} fullWidth>
        {action}
      </Button>
    </AccountFrame>
  );
}

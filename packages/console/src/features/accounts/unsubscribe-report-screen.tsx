import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { unsubscribeReport } from '../../entities/report-schedules/queries.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { AccountFrame } from './account-frame.tsx';

/** /unsubscribe-report#TOKEN, the link of a mail: ends the mails of one scheduled report, without a login. */
export function UnsubscribeReportScreen() {
  const token = useLocation({ select: ({ hash }) => hash });
  const [name, setName] = useState<string>();
  const { save, busy } = useSave({
    send: () => unsubscribeReport(token),
    onSaved: (ended) => setName(ended.name),
  });
  if (name !== undefined)
    return (
      <AccountFrame title="Mails ended" text={reportScheduleMessages.unsubscribedReport(name)}>
        <SecondaryButton component={Link} to="/reports" fullWidth>
          Open the reports
        </SecondaryButton>
      </AccountFrame>
    );
  return (
    <AccountFrame title="End these mails?" text={reportScheduleMessages.unsubscribeReport}>
      <Button onClick={() => save()} loading={busy} disabled={token === ''} fullWidth>
        End mails
      </Button>
    </AccountFrame>
  );
}

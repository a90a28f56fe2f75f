import { Skeleton, Stack } from '@mantine/core';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { alertPreferencesQuery } from '../../entities/alerts/queries.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { LoadErrorScreen } from '../../ui/layout/error-screens.tsx';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { Channels } from './channels.tsx';
import { LowBalance } from './low-balance.tsx';
import { Rules } from './rules.tsx';
import { MailForm } from './mail-form.tsx';
import { mayAs } from '../../lib/api/use-may.ts';

/** /alerts: what the user gets by mail, and the channels of the company as far as their role allows. */
export function AlertsScreen() {
  const account = useLoadable(accountQuery);
  const preferences = useLoadable(alertPreferencesQuery);
  if (account.state === 'failed') return <LoadErrorScreen of={account} />;
  const header = (
    <PageHeader
      title="Alerts"
      description="Sends notifications to your mail, and to the chats and servers of your company."
    />
  );
  if (!isKnown(account))
    return (
      <>
        {header}
        <ListSkeleton rows={2} height={180} />
      </>
    );
  const user = account.data;
  return (
    <>
      {header}
      <Stack gap="md">
        {mayAs(user.role, 'alert.read') && (
          <>
            <Rules mayWrite={mayAs(user.role, 'alert.write')} />
            <Channels mayWrite={mayAs(user.role, 'alert.write')} />
          </>
        )}
        {mayAs(user.role, 'alert.write') && <LowBalance />}
        <FigureFrame figures={preferences} what="Your mails" skeleton={<Skeleton height={240} maw={800} />}>
          {(known) => <MailForm preferences={known} companyName={user.company.name} />}
        </FigureFrame>
      </Stack>
    </>
  );
}

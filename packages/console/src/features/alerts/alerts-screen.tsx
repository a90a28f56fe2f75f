import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useKnown } from '../../lib/loadable.ts';
import { alertPreferencesQuery } from '../../entities/alerts/queries.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PageLoader } from '../../ui/layout/page-loader.tsx';
import { Channels } from './channels.tsx';
import { LowBalance } from './low-balance.tsx';
import { MailForm } from './mail-form.tsx';

/** /alerts: what the user gets by mail, and the channels of the company as far as their role allows. */
export function AlertsScreen() {
  const user = useKnown(accountQuery);
  const { data: preferences } = useQuery(alertPreferencesQuery);
  if (!user || !preferences) return <PageLoader />;
  return (
    <>
      <PageHeader
        title="Alerts"
        description="Brings notifications to your mail, and to the chats and servers of your company."
      />
      <Stack gap="md">
        {companyRoleHas(user.role, 'alert.read') && (
          <Channels mayWrite={companyRoleHas(user.role, 'alert.write')} />
        )}
        {companyRoleHas(user.role, 'alert.write') && <LowBalance />}
        <MailForm preferences={preferences} companyName={user.company.name} />
      </Stack>
    </>
  );
}

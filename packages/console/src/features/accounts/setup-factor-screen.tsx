import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Stack } from '@mantine/core';
import { leaveCompany } from '../../entities/accounts/people-queries.ts';
import { SecondFactors } from '../../entities/accounts/sign-in/second-factors.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { logOut } from '../../lib/api/account.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { accessToken, refreshSession } from '../../lib/api/session.ts';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { QuietButton } from '../../ui/layout/buttons.tsx';
import { AccountFrame } from './account-frame.tsx';

/** The token of before names no channels of live updates. */
async function showScreens(): Promise<void> {
  await refreshSession(await accessToken()).catch(() => {});
  await queryClient.invalidateQueries();
}

/** In place of all screens while the person lacks a second factor that the company requires. */
export function SetupFactorScreen({ companyName }: { companyName: string }) {
  return (
    <AccountFrame
      title="Set up a second factor"
      text={`${companyName} requires a second factor for everyone. Set yours up to continue.`}
    >
      <Stack>
        <SecondFactors calls={personCalls} onEnrolled={() => void showScreens()} />
        <Group justify="center" gap="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => void logOut()}>
            Log out
          </Button>
          <LeaveButton companyName={companyName} />
        </Group>
      </Stack>
    </AccountFrame>
  );
}

/** The way out for someone who does not want what the company requires. */
function LeaveButton({ companyName }: { companyName: string }) {
  const { confirm, busy } = useDestroy({
    title: `Leave ${companyName}?`,
    text: 'Your sessions of this company end at once, and API keys that you made there stop working.',
    action: 'Leave',
    send: leaveCompany,
    done: screenMessages.companyLeft,
  });
  return (
    <QuietButton loading={busy} onClick={confirm}>
      Leave the company
    </QuietButton>
  );
}

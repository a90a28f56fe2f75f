import { Button, Stack } from '@mantine/core';
import { SecondFactors } from '../../entities/accounts/sign-in/second-factors.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { logOut } from '../../lib/api/account.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { accessToken, refreshSession } from '../../lib/api/session.ts';
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
      text={`${companyName} requires one of everybody. Until you have it, nothing else works.`}
    >
      <Stack>
        <SecondFactors calls={personCalls} onEnrolled={() => void showScreens()} />
        <Button variant="subtle" size="compact-sm" onClick={() => void logOut()}>
          Log out
        </Button>
      </Stack>
    </AccountFrame>
  );
}

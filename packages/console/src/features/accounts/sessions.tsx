import { Paper, Text, Title } from '@mantine/core';
import { SecondFactors } from '../../entities/accounts/sign-in/second-factors.tsx';
import { viewing } from '../../lib/api/viewing.ts';
import { logOut } from '../../lib/api/account.ts';
import { SessionList } from '../../entities/accounts/sign-in/session-list.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** Where the user is logged in; ends single sessions, or after a confirmation every one. `bySso` as in SecondFactorSection. */
export function Sessions({ bySso }: { bySso: boolean }) {
  const confirmLogout = () =>
    confirmDestroy({
      title: 'Log out everywhere?',
      text: 'Every browser and device that is logged in to your account, this one too, has to log in again.',
      action: 'Log out everywhere',
      onConfirm: () => void logOut({ everywhere: true }),
    });
  return (
    <>
      {!viewing && <SecondFactorSection bySso={bySso} />}
      <Section
        title="Where you are logged in"
        description="End sessions that you do not recognize, and sessions of devices that you lost."
        maxWidth={800}
        actions={<SecondaryButton onClick={confirmLogout}>Log out everywhere</SecondaryButton>}
      >
        {!viewing && <SessionList calls={personCalls} />}
      </Section>
    </>
  );
}

/** The user's second factor; a session by single sign-on (`bySso`) does not change it. */
function SecondFactorSection({ bySso }: { bySso: boolean }) {
  return (
    <Paper component="section" aria-label="Second factor" withBorder p="md" mb="md" maw={800}>
      <Title order={2} size="h5">
        Second factor
      </Title>
      <Muted>Something you have, so that a stolen password alone is not enough to log in.</Muted>
      {bySso ? (
        <Text size="sm" mt="sm">
          You signed in by single sign-on: the provider of your company decides what it asks you for. Log in
          with your password to change the second factor of that login.
        </Text>
      ) : (
        <SecondFactors calls={personCalls} />
      )}
    </Paper>
  );
}

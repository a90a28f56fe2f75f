import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { viewing } from '../../lib/api/viewing.ts';
import { logOut } from '../../lib/api/account.ts';
import { SessionList } from '../../entities/accounts/sign-in/session-list.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { SecondFactorSection } from './second-factor-section.tsx';
import { confirmDestroy } from '../../ui/form/confirm.tsx';

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
      <Paper component="section" aria-label="Where you are logged in" withBorder p="md" maw={800}>
        <Group justify="space-between" align="start" wrap="nowrap">
          <div>
            <Title order={2} size="h5">
              Where you are logged in
            </Title>
            <Text size="sm" c="dimmed">
              End the sessions that you do not know, or of a device that you lost.
            </Text>
          </div>
          <Button variant="default" onClick={confirmLogout} flex="none">
            Log out everywhere
          </Button>
        </Group>
        {!viewing && <SessionList calls={personCalls} />}
      </Paper>
    </>
  );
}

import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { logOut } from '../../lib/api/account.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';

/** Ends every session of the user after a confirmation. */
export function Sessions() {
  const confirmLogout = () =>
    confirmDestroy({
      title: 'Log out everywhere?',
      text: 'Every browser and device that is logged in to your account, this one too, has to log in again.',
      action: 'Log out everywhere',
      onConfirm: () => void logOut({ everywhere: true }),
    });
  return (
    <Paper withBorder p="md" maw={560}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5">
            Sessions
          </Title>
          <Text size="sm" c="dimmed">
            Lost a device, or used one that is not yours?
          </Text>
        </div>
        <Button variant="default" onClick={confirmLogout}>
          Log out everywhere
        </Button>
      </Group>
    </Paper>
  );
}

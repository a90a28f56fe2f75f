import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SecondaryButton } from '../layout/buttons.tsx';
import { useHeldDialog } from './secret-dialog.tsx';

/** A secret that the server shows only now, with what it is for, and a button that copies it; in a `SecretDialog`. */
export function ShownOnce({
  secret,
  testId,
  onDone,
  children,
}: {
  secret: string;
  testId: string;
  onDone: () => void;
  children: ReactNode;
}) {
  useHeldDialog();
  return (
    <Stack>
      <Text size="sm">{children}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid={testId}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <SecondaryButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</SecondaryButton>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { saveFile } from '../../../lib/format/csv-file.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { useHeldDialog } from '../../../ui/secrets/secret-dialog.tsx';

/** New recovery codes in a `SecretDialog`. They are shown only once, and the person has to store them. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  useHeldDialog();
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text size="sm">{screenMessages.recoveryCodes}</Text>
      <Code block data-testid="recovery-codes">
        {codes.join('\n')}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <SecondaryButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</SecondaryButton>
          )}
        </CopyButton>
        <SecondaryButton
          onClick={() => saveFile('bidwell-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
        >
          Download
        </SecondaryButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

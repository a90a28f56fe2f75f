import { Group, Paper, Progress, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { uploads } from '../../lib/api/upload-progress.ts';

/** Average progress of all uploads; hidden one second after all have reached 100. */
export function UploadProgressBar() {
  const percent = useSyncExternalStore(uploads.subscribe, uploads.percent);
  if (percent === null) return null;
  return (
    <Paper
      withBorder
      shadow="sm"
      px="md"
      py="xs"
      pos="fixed"
      bottom={16}
      right={16}
      w="min(320px, calc(100vw - 32px))"
      style={{ zIndex: 300 }}
    >
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {percent === 100 ? 'Uploaded' : 'Uploading'}
        </Text>
        <Text size="sm">{percent}%</Text>
      </Group>
      <Progress value={percent} size="sm" aria-label="Progress of all uploads" />
    </Paper>
  );
}

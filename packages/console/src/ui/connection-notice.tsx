import { Box, Group, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useLiveState } from '../lib/live-state.ts';
import classes from './connection-notice.module.css';

/** At the lower edge: says that the connection for live updates was lost and is being made again. */
export function ConnectionNotice() {
  const isLost = useLiveState() === 'lost';
  return (
    <Box role="status" className={classes['place']}>
      {isLost && (
        <Group gap={6} wrap="nowrap" className={classes['notice']}>
          <IconCloudOff size={15} aria-hidden />
          <Text size="sm">Connection lost, retrying…</Text>
        </Group>
      )}
    </Box>
  );
}

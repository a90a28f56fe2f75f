import { Box, Group, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useAwayNotice } from '../../lib/load-code.ts';
import { useConnectionState } from '../../lib/live/connection-state.ts';
import classes from './connection-notice.module.css';

/** Notice at the lower edge that the connection for live updates is lost and reconnecting. */
export function ConnectionNotice() {
  const isLost = useConnectionState() === 'lost';
  // Said by the notice of the whole page.
  const isSaid = useAwayNotice() !== null;
  return (
    <Box role="status" className={classes['container']}>
      {isLost && !isSaid && (
        <Group gap={6} wrap="nowrap" className={classes['notice']}>
          <IconCloudOff size={15} aria-hidden />
          <Text size="sm">Connection lost, retrying…</Text>
        </Group>
      )}
    </Box>
  );
}

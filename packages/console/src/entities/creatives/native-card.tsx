import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Caption } from '../../ui/layout/text.tsx';

interface NativeCardProps {
  image: ReactNode;
  icon: ReactNode;
  title: string;
  description: string;
  sponsor: string;
}

/** A native ad as an app renders it: image, icon, title, description, sponsor and call to action. */
export function NativeCard({ image, icon, title, description, sponsor }: NativeCardProps) {
  return (
    <Paper withBorder w={320} maw="100%" style={{ overflow: 'hidden' }} role="figure" aria-label="Native ad">
      {image}
      <Stack gap="xs" p="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {icon}
          <Box style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} lineClamp={2}>
              {title || 'Title'}
            </Text>
            <Caption truncate>{sponsor ? `Sponsored by ${sponsor}` : 'Sponsored'}</Caption>
          </Box>
        </Group>
        <Text size="xs" lineClamp={3} c={description ? undefined : 'dimmed'}>
          {description || 'Description'}
        </Text>
        {/* A preview, not an interactive button. */}
        <Button component="span" size="xs" fullWidth aria-hidden style={{ pointerEvents: 'none' }}>
          Install
        </Button>
      </Stack>
    </Paper>
  );
}

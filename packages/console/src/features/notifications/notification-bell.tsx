import type { Notification } from '@bidwell/contract/notification';
import { ActionIcon, Box, Button, Group, Indicator, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { notifications as toasts } from '@mantine/notifications';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { useLiveUpdates } from '../../lib/live.ts';
import { markRead, notificationsQuery } from '../../lib/queries/notifications.ts';
import { toastError } from '../../lib/toast.ts';

/** The bell: how many are unread, and the list of what happened. New ones also pass by as a toast. */
export function NotificationBell() {
  const { data: notifications = [] } = useQuery(notificationsQuery);
  useLiveUpdates(useCallback((title, text) => toasts.show({ title, message: text }), []));
  const unread = notifications.filter((notification) => !notification.read).map(({ uuid }) => uuid);
  return (
    <Popover position="bottom-end" width={360} shadow="md" trapFocus>
      <Popover.Target>
        <Indicator
          disabled={unread.length === 0}
          label={unread.length > 99 ? '99+' : unread.length}
          size={16}
          color="red.8"
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Notifications, ${unread.length} unread`}
          >
            <IconBell size={19} stroke={1.6} />
          </ActionIcon>
        </Indicator>
      </Popover.Target>
      <Popover.Dropdown p={0} maw="calc(100vw - 24px)">
        <Group justify="space-between" p="sm">
          <Text fw={600}>Notifications</Text>
          {unread.length > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => void markRead(unread).catch(toastError)}
            >
              Mark all read
            </Button>
          )}
        </Group>
        <ScrollArea.Autosize mah={420}>
          {notifications.length === 0 && (
            <Text c="dimmed" size="sm" px="sm" pb="md">
              Decisions about your apps, creatives and top-ups will stand here.
            </Text>
          )}
          {notifications.map((notification) => (
            <Item key={notification.uuid} notification={notification} />
          ))}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function Item({ notification: { uuid, title, text, read, created_at } }: { notification: Notification }) {
  return (
    <Group
      wrap="nowrap"
      align="flex-start"
      gap="xs"
      px="sm"
      py="xs"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Box
        w={8}
        h={8}
        mt={6}
        bg={read ? 'transparent' : 'accent.6'}
        style={{ borderRadius: 8, flexShrink: 0 }}
      />
      <Stack gap={2} style={{ flex: 1 }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm">{text}</Text>
        <Text size="xs" c="dimmed">
          {formatMoment(created_at)}
        </Text>
      </Stack>
      {!read && (
        <Button variant="subtle" size="compact-xs" onClick={() => void markRead([uuid]).catch(toastError)}>
          Read
        </Button>
      )}
    </Group>
  );
}

import type { Notification } from '@bidwell/contract/notification';
import {
  ActionIcon,
  Box,
  Button,
  Group,
  Indicator,
  Popover,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { entityLink } from '../../lib/entity-link.ts';
import { formatMoment } from '../../lib/format.ts';
import { useLiveUpdates } from '../../lib/live.ts';
import { markRead, notificationsQuery } from '../../lib/queries/notifications.ts';
import { toastError, toastNotification } from '../../lib/toast.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { Segments, optionsOf } from '../../ui/segments.tsx';

const read = (uuids: string[]) => void markRead(uuids).catch(toastError);

/** Notification bell with the unread count and a list; new notifications are also shown as toasts. */
export function NotificationBell() {
  const { data: notifications = [] } = useQuery(notificationsQuery);
  const [opened, { toggle, close }] = useDisclosure(false);
  const [show, setShow] = useState<'All' | 'Unread'>('All');
  useLiveUpdates(toastNotification);
  const unread = notifications.filter((notification) => !notification.read);
  const shown = show === 'All' ? notifications : unread;
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      onClose={close}
      position="bottom-end"
      width={380}
      shadow="md"
      trapFocus
    >
      <Indicator
        disabled={unread.length === 0}
        label={unread.length > 99 ? '99+' : unread.length}
        size={16}
        offset={6}
        color="red.8"
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={toggle}
            aria-label={`Notifications, ${unread.length} unread`}
          >
            <IconBell size={19} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 24px)">
        <Group justify="space-between" p="sm" wrap="nowrap">
          <Text fw={600}>Notifications</Text>
          <Segments
            small
            label="Which notifications"
            value={show}
            onChange={setShow}
            options={optionsOf(['All', 'Unread'])}
          />
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={unread.length === 0}
            onClick={() => read(unread.map(({ uuid }) => uuid))}
          >
            Mark all read
          </Button>
        </Group>
        <NotificationList notifications={shown} hasAny={notifications.length > 0} onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface NotificationListProps {
  notifications: readonly Notification[];
  /** Whether there are notifications that the list does not show. */
  hasAny: boolean;
  /** Closes the list when a link in it is followed. */
  onLeave: () => void;
}

function NotificationList({ notifications, hasAny, onLeave }: NotificationListProps) {
  return (
    <ScrollArea.Autosize mah="min(460px, 70vh)" type="auto">
      {notifications.length === 0 && (
        <Text c="dimmed" size="sm" px="sm" pb="md">
          {hasAny
            ? 'You have read everything.'
            : 'Decisions about your apps, creatives and top-ups will appear here.'}
        </Text>
      )}
      {notifications.map((notification) => (
        <Item key={notification.uuid} notification={notification} onLeave={onLeave} />
      ))}
    </ScrollArea.Autosize>
  );
}

function Item({ notification, onLeave }: { notification: Notification; onLeave: () => void }) {
  const { uuid, title, text, entity_type, entity_uuid, created_at } = notification;
  const link = entityLink(entity_type, entity_uuid);
  const follow = () => {
    if (!notification.read) read([uuid]);
    onLeave();
  };
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
        bg={notification.read ? 'transparent' : 'accent.6'}
        style={{ borderRadius: 8, flexShrink: 0 }}
        role={notification.read ? undefined : 'img'}
        aria-label={notification.read ? undefined : 'Unread'}
      />
      <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
        {link ? (
          <AnchorLink {...link} size="sm" fw={600} c="inherit" onClick={follow}>
            {title}
          </AnchorLink>
        ) : (
          <Text size="sm" fw={600}>
            {title}
          </Text>
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        <Text size="xs" c="dimmed">
          {formatMoment(created_at)}
        </Text>
      </Stack>
      {!notification.read && (
        <Tooltip label="Mark as read">
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => read([uuid])}
            aria-label={`Mark as read: ${title}, ${text}`}
          >
            <IconCheck size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { entityLink } from '../../lib/entity-link.ts';
import { markRead, notificationsQuery } from '../../lib/queries/notifications.ts';
import { toastError } from '../../lib/toast.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { newestImportant } from './important.ts';

/** Shows the newest unread notification that requires an action above the page. Dismissing it marks it as read. */
export function NotificationStrip() {
  const { data: notifications = [] } = useQuery(notificationsQuery);
  const notification = newestImportant(notifications);
  if (!notification) return null;
  const dismiss = () => void markRead([notification.uuid]).catch(toastError);
  const link = entityLink(notification.entity_type, notification.entity_uuid);
  return (
    <Alert
      role="status"
      variant="light"
      color="orange"
      icon={<IconAlertTriangle size={17} />}
      mb="md"
      py={8}
      withCloseButton
      closeButtonLabel="Dismiss the notification"
      onClose={dismiss}
      className="no-print"
    >
      <Group gap="xs" wrap="wrap">
        <Text size="sm" fw={600}>
          {notification.title}
        </Text>
        <Text size="sm">{notification.text}</Text>
        {link && (
          <AnchorLink {...link} size="sm" underline="always" c="inherit" onClick={dismiss}>
            View
          </AnchorLink>
        )}
      </Group>
    </Alert>
  );
}

import { Alert, Group, Text } from '@mantine/core';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { markRead, notificationsQuery } from '../../entities/notifications/queries.ts';
import { toastError } from '../../lib/toast.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { alike, newestImportant } from './important.ts';
import { notificationLink } from '@bidwell/contract/notifications/link';
import { SEVERITIES } from './severities.ts';

/** Shows the newest unread notification that requires an action above the page. Dismissing it marks it as read. */
export function NotificationStrip() {
  // The bell says where they could not be loaded.
  const list = useLoadable(notificationsQuery);
  const notifications = knownData(list);
  const notification = notifications && newestImportant(notifications);
  if (!notification) return null;
  const dismiss = () =>
    void markRead(alike(notifications, notification).map(({ uuid }) => uuid)).catch(toastError);
  const link = notificationLink(notification);
  const { color, icon: Icon } = SEVERITIES[notification.severity];
  return (
    <Alert
      role="status"
      variant="light"
      color={color}
      icon={<Icon size={17} />}
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
            {notification.kind === 'anomaly' ? 'See the change' : 'View'}
          </AnchorLink>
        )}
      </Group>
    </Alert>
  );
}

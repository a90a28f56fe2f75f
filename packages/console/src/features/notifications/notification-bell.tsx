import { Indicator, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { dataOrUnknown, isUnknown, mapped, useLoadable } from '../../lib/loadable.ts';
import { useLiveUpdates } from '../../entities/live/live.ts';
import { notificationsQuery } from '../../entities/notifications/queries.ts';
import { toastError, toastNotification } from '../../lib/toast.ts';
import { IconButton } from '../../ui/layout/buttons.tsx';
import { SEVERITIES, highestSeverity } from './severities.ts';
import type { NotificationPanel } from './notification-panel.tsx';
import { actionCode } from '../../lib/load-code.ts';

const BADGE_COLORS = { critical: 'red.8', warning: 'orange.9', info: 'gray.7' } as const;

const unknownLabels = { loading: ', loading', failed: ' could not be loaded' } as const;

/** Notification bell with the unread count and the highest severity, and a list; new notifications are also shown as toasts. */
export function NotificationBell() {
  const notifications = useLoadable(notificationsQuery);
  const [opened, { toggle, close }] = useDisclosure(false);
  const [Panel, setPanel] = useState<typeof NotificationPanel>();
  useLiveUpdates(toastNotification);
  // Opens once the panel is loaded: the focus needs something to move to.
  const show = () => {
    if (Panel) return toggle();
    actionCode(() => import('./notification-panel.tsx')).then((loaded) => {
      setPanel(() => loaded.NotificationPanel);
      toggle();
    }, toastError);
  };
  const unread = dataOrUnknown(mapped(notifications, (known) => known.filter(({ read }) => !read)));
  const severity = isUnknown(unread) ? 'info' : highestSeverity(unread);
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
        disabled={isUnknown(unread) || unread.length === 0}
        label={!isUnknown(unread) && (unread.length > 99 ? '99+' : unread.length)}
        size={16}
        offset={6}
        color={BADGE_COLORS[severity]}
      >
        <Popover.Target>
          <IconButton
            size="lg"
            onClick={show}
            aria-label={`Notifications${isUnknown(unread) ? unknownLabels[unread] : `, ${unread.length} unread`}${severity === 'info' ? '' : `, ${SEVERITIES[severity].label.toLowerCase()}`}`}
          >
            <IconBell size={19} stroke={1.6} />
          </IconButton>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 24px)">
        {Panel && <Panel notifications={notifications} onLeave={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

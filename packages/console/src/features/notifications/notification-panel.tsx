import type { Notification } from '@bidwell/contract/notifications/schema';
import { Box, Button, Group, ScrollArea, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { type Loadable, isKnown, mapped } from '../../lib/loadable.ts';
import { entityListLink } from '@bidwell/contract/changes/entity-link';
import { formatMoment } from '../../lib/format/format.ts';
import { markRead } from '../../entities/notifications/queries.ts';
import { toastError } from '../../lib/toast.ts';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { IconButton } from '../../ui/layout/buttons.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Caption, LongText, Muted } from '../../ui/layout/text.tsx';
import { Segments, optionsOf } from '../../ui/layout/segments.tsx';
import { type NotificationGroup, grouped } from './grouped.ts';
import { notificationLink } from '@bidwell/contract/notifications/link';
import { SEVERITIES, highestSeverity } from './severities.ts';

const read = (notifications: readonly Notification[]) => {
  const uuids = notifications.filter((one) => !one.read).map(({ uuid }) => uuid);
  if (uuids.length > 0) void markRead(uuids).catch(toastError);
};

interface NotificationPanelProps {
  notifications: Loadable<readonly Notification[]>;
  /** Closes the panel when a link in it is followed. */
  onLeave: () => void;
}

/** The latest notifications. Notifications of one kind within an hour are one line. */
export function NotificationPanel({ notifications, onLeave }: NotificationPanelProps) {
  const [show, setShow] = useState<'All' | 'Unread'>('All');
  const list = mapped(notifications, (known) => {
    const unread = known.filter((notification) => !notification.read);
    return { unread, groups: grouped(show === 'All' ? known : unread), isEmpty: known.length === 0 };
  });
  return (
    <>
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
          disabled={!isKnown(list) || list.data.unread.length === 0}
          onClick={() => isKnown(list) && read(list.data.unread)}
        >
          Mark all read
        </Button>
      </Group>
      <ScrollArea.Autosize mah="min(460px, 70vh)" type="auto">
        <FigureFrame
          figures={list}
          what="The notifications"
          noticeMargin="sm"
          skeleton={
            <Box px="sm" pb="sm">
              <ListSkeleton height={56} />
            </Box>
          }
        >
          {({ groups, isEmpty }) => (
            <>
              {groups.length === 0 && (
                <Muted px="sm" pb="md">
                  {isEmpty
                    ? 'Decisions about your apps, creatives and top-ups will appear here.'
                    : 'You have read everything.'}
                </Muted>
              )}
              {groups.map((group) => (
                <Line key={group.id} group={group} onLeave={onLeave} />
              ))}
            </>
          )}
        </FigureFrame>
      </ScrollArea.Autosize>
      <Box p="xs" ta="center" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
        <AnchorLink to="/alerts" size="sm" onClick={onLeave}>
          Get them by mail or in a chat
        </AnchorLink>
      </Box>
    </>
  );
}

function Line({ group, onLeave }: { group: NotificationGroup; onLeave: () => void }) {
  const { title, members } = group;
  const [newest] = members as [Notification];
  const { icon: Icon, color, label } = SEVERITIES[highestSeverity(members)];
  const link = members.length === 1 ? notificationLink(newest) : entityListLink(newest.entity_type);
  const follow = () => {
    read(members);
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
        bg={group.read ? 'transparent' : 'accent.6'}
        style={{ borderRadius: 8, flexShrink: 0 }}
        role={group.read ? undefined : 'img'}
        aria-label={group.read ? undefined : 'Unread'}
      />
      <Icon
        size={16}
        role="img"
        aria-label={label}
        color={`var(--mantine-color-${color}-text)`}
        style={{ flexShrink: 0, marginTop: 2 }}
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
        <Texts members={members} />
        <Caption>{formatMoment(newest.created_at)}</Caption>
      </Stack>
      {!group.read && (
        <Tooltip label="Mark as read">
          <IconButton onClick={() => read(members)} aria-label={`Mark as read: ${title}, ${newest.text}`}>
            <IconCheck size={16} />
          </IconButton>
        </Tooltip>
      )}
    </Group>
  );
}

/** Texts shown of a line before a click on more. */
const TEXTS = 2;

function Texts({ members }: { members: readonly Notification[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const hidden = members.length - TEXTS;
  return (
    <>
      {(isWhole ? members : members.slice(0, TEXTS)).map(({ uuid, text }) => (
        <LongText key={uuid}>{text}</LongText>
      ))}
      {hidden > 0 && (
        <Button
          variant="subtle"
          size="compact-xs"
          style={{ alignSelf: 'start' }}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show ${hidden} more`}
        </Button>
      )}
    </>
  );
}

import type { ViewerSession } from '@bidwell/contract/accounts/viewer';
import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { formatMoment } from '../lib/format/format.ts';
import { logOut } from '../lib/api/account.ts';
import { VIEW_PATH, leaveViewing } from '../lib/api/viewing.ts';
import classes from './layout.module.css';

/** Says that an operator views this company, until when, and ends it. */
export function ViewingBanner({ session }: { session: ViewerSession }) {
  const { company_name: name, expires_at: expiresAt } = session;
  useEffect(() => {
    const timer = setTimeout(() => leaveViewing(VIEW_PATH), Date.parse(expiresAt) - Date.now());
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return (
    <Group
      component="section"
      aria-label="Read-only view"
      className={classes['viewing']}
      justify="space-between"
      wrap="nowrap"
    >
      <Group gap="xs" wrap="nowrap">
        <IconEye size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          You are viewing as <b>{name}</b> (read only) until {formatMoment(expiresAt).slice(-5)}
        </Text>
      </Group>
      <Button size="compact-sm" variant="default" style={{ flexShrink: 0 }} onClick={() => void logOut()}>
        End
      </Button>
    </Group>
  );
}

import type { ViewerSession } from '@bidwell/contract/accounts/viewer';
import { Group, Text } from '@mantine/core';
import { IconEye, IconMail } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { requestAddressConfirmation } from '../entities/accounts/address-confirmation.ts';
import { logOut } from '../lib/api/account.ts';
import { VIEW_PATH, leaveViewing } from '../lib/api/viewing.ts';
import { formatMoment } from '../lib/format/format.ts';
import { useSave } from '../ui/form/use-save.ts';
import { SmallButton } from '../ui/layout/buttons.tsx';
import classes from './layout.module.css';

/** Says that an operator views this company, until when, and ends it. */
export function ViewingBanner({ session }: { session: ViewerSession }) {
  const { company_name: name, expires_at: expiresAt } = session;
  useEffect(() => {
    const timer = setTimeout(() => leaveViewing(VIEW_PATH), Date.parse(expiresAt) - Date.now());
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return (
    <Banner label="Read-only view" icon={<IconEye size={18} />} action="End" onAction={() => void logOut()}>
      <Text size="sm">
        You are viewing as <b>{name}</b> (read only) until {formatMoment(expiresAt).slice(-5)}
      </Text>
    </Banner>
  );
}

/** Says that the user has not confirmed their mail address, before which nothing else is sent there. */
export function AddressBanner({ email }: { email: string }) {
  const [isSent, setIsSent] = useState(false);
  const { save, busy } = useSave({
    send: requestAddressConfirmation,
    onSaved: () => setIsSent(true),
  });
  return (
    <Banner
      label="Mail address"
      icon={<IconMail size={18} />}
      action={isSent ? undefined : 'Send again'}
      onAction={() => save()}
      busy={busy}
    >
      <Text size="sm" role="status">
        {isSent
          ? 'Another link is on its way to '
          : 'Confirm your mail address with the link that was sent to '}
        <b>{email}</b>. Until then you get no other mails.
      </Text>
    </Banner>
  );
}

interface BannerProps {
  label: string;
  icon: ReactNode;
  /** The text of the button; none without it. */
  action: string | undefined;
  onAction: () => void;
  busy?: boolean;
  children: ReactNode;
}

/** A line above every screen, with a button. */
function Banner({ label, icon, action, onAction, busy = false, children }: BannerProps) {
  return (
    <Group
      component="section"
      aria-label={label}
      className={classes['banner']}
      justify="space-between"
      wrap="nowrap"
    >
      <Group gap="xs" wrap="nowrap">
        <span className={classes['banner-icon']} aria-hidden>
          {icon}
        </span>
        {children}
      </Group>
      {action !== undefined && (
        <SmallButton onClick={onAction} loading={busy} flex="none">
          {action}
        </SmallButton>
      )}
    </Group>
  );
}

import { AppShell, Burger, Group, NavLink, ScrollArea, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import {
  IconChartBar,
  IconChevronsLeft,
  IconChevronsRight,
  IconPhoto,
  IconTarget,
  IconWallet,
} from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { onSessionEnd } from '../lib/session.ts';
import { Logo } from './logo.tsx';
import { UserMenu } from './user-menu.tsx';

const places = [
  { to: '/campaigns', label: 'Campaigns', icon: IconTarget, also: ['/adset'] },
  { to: '/reports', label: 'Reports', icon: IconChartBar, also: [] },
  {
    to: '/assets',
    label: 'Assets',
    icon: IconPhoto,
    also: ['/add-app', '/edit-app', '/creative', '/targets', '/tracking-links'],
  },
  { to: '/finances', label: 'Finances', icon: IconWallet, also: [] },
] as const;

/** The frame of every screen behind the login: the rail, the bell and the user's menu. */
export function Layout() {
  const navigate = useNavigate();
  const [opened, { toggle, close }] = useDisclosure(false);
  const [folded, setFolded] = useLocalStorage({ key: 'bidwell.rail-folded', defaultValue: false });
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const compact = folded && !narrow;
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => onSessionEnd(() => void navigate({ to: '/login' })), [navigate]);
  useEffect(close, [path, close]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: compact ? 64 : 212, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link
              to="/campaigns"
              style={{ color: 'inherit', textDecoration: 'none' }}
              aria-label="Bidwell, home"
            >
              <Logo />
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <NotificationBell />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <AppShell.Section grow component={ScrollArea}>
          {places.map(({ to, label, icon: Icon, also }) => (
            <Tooltip key={to} label={label} position="right" disabled={!compact}>
              <NavLink
                component={Link}
                to={to}
                label={compact ? undefined : label}
                aria-label={label}
                leftSection={<Icon size={19} stroke={1.6} />}
                active={path.startsWith(to) || also.some((prefix) => path.startsWith(prefix))}
                style={{ borderRadius: 8 }}
                mb={2}
              />
            </Tooltip>
          ))}
        </AppShell.Section>
        <AppShell.Section visibleFrom="sm">
          <UnstyledButton
            p="xs"
            onClick={() => setFolded(!folded)}
            aria-label={folded ? 'Unfold the menu' : 'Fold the menu'}
          >
            {folded ? <IconChevronsRight size={18} /> : <IconChevronsLeft size={18} />}
          </UnstyledButton>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

import { AppShell, Box, Burger, Button, Group, Kbd, NavLink, ScrollArea } from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import {
  IconChartBar,
  IconChevronsLeft,
  IconChevronsRight,
  IconPhoto,
  IconSearch,
  IconTarget,
  IconWallet,
} from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useState } from 'react';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { NotificationStrip } from '../features/notifications/notification-strip.tsx';
import { queryClient } from '../lib/query-client.ts';
import { prepareToasts } from '../lib/toast.ts';
import { useAfterPaint } from '../ui/after-paint.tsx';
import { LateTooltip } from '../ui/late-tooltip.tsx';
import { ConnectionNotice } from '../ui/connection-notice.tsx';
import { LoadFailures } from '../ui/load-failures.tsx';
import { PageLoader } from '../ui/page-loader.tsx';
import { UploadProgressBar } from '../ui/upload-progress.tsx';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import { UserMenu } from './user-menu.tsx';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

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

const prepareEarly = () => void prepareToasts().catch(() => {});

/** The screens behind the login. Rendered after the first paint, so that the page stays responsive. */
export function Layout() {
  return useAfterPaint() ? <Frame /> : <PageLoader />;
}

/** Frame of all screens behind the login: navigation, search, notifications and the user's menu. */
function Frame() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const [folded, setFolded] = useLocalStorage({
    key: 'bidwell.rail-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const compact = folded && !narrow;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isDrawn = useAfterPaint();
  const [palette, setPalette] = useState<'never' | 'open' | 'closed'>('never');
  useHotkeys([['mod+K', () => setPalette(palette === 'open' ? 'closed' : 'open')]], []);
  useEffect(close, [path, close]);
  // Loads the toast library at the first input: an action may have to report that the server is unavailable.
  useWindowEvent('pointerdown', prepareEarly);
  useWindowEvent('keydown', prepareEarly);

  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider>
        <AppShell
          header={{ height: 56 }}
          navbar={{ width: compact ? 64 : 212, breakpoint: 'sm', collapsed: { mobile: !opened } }}
          padding={{ base: 'sm', sm: 'lg' }}
        >
          <a href="#main" className={classes['skip']}>
            Skip to the content
          </a>
          <AppShell.Header>
            <Group h="100%" px="md" justify="space-between" wrap="nowrap">
              <Group gap="sm" wrap="nowrap">
                <Burger
                  opened={opened}
                  onClick={toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label="Menu"
                  aria-expanded={opened}
                />
                <Link to="/campaigns" className={classes['home']} aria-label="Bidwell, home">
                  <Logo />
                </Link>
              </Group>
              <Group gap="xs" wrap="nowrap">
                <SearchButton onClick={() => setPalette('open')} />
                <NotificationBell />
                <UserMenu />
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p="xs" aria-label="Main">
            <AppShell.Section grow component={ScrollArea}>
              {places.map(({ to, label, icon: Icon, also }) => {
                const active = path.startsWith(to) || also.some((prefix) => path.startsWith(prefix));
                return (
                  <LateTooltip key={to} label={label} position="right" disabled={!compact}>
                    <NavLink
                      component={Link}
                      to={to}
                      label={compact ? undefined : label}
                      aria-label={label}
                      aria-current={active ? 'page' : undefined}
                      leftSection={<Icon size={19} stroke={1.6} />}
                      active={active}
                      className={classes['place']}
                      data-compact={compact || undefined}
                    />
                  </LateTooltip>
                );
              })}
            </AppShell.Section>
            <AppShell.Section visibleFrom="sm">
              <LateTooltip label="Unfold the menu" position="right" disabled={!compact}>
                <NavLink
                  component="button"
                  label={compact ? undefined : 'Fold the menu'}
                  aria-label={compact ? 'Unfold the menu' : 'Fold the menu'}
                  leftSection={compact ? <IconChevronsRight size={19} /> : <IconChevronsLeft size={19} />}
                  onClick={() => setFolded(!folded)}
                  className={classes['place']}
                  c="dimmed"
                  data-compact={compact || undefined}
                />
              </LateTooltip>
            </AppShell.Section>
          </AppShell.Navbar>
          <AppShell.Main id="main" tabIndex={-1} className={classes['main']}>
            <LoadFailures />
            <NotificationStrip />
            {isDrawn && <Outlet />}
          </AppShell.Main>
          <ConnectionNotice />
          <UploadProgressBar />
          {palette !== 'never' && (
            <Suspense>
              <CommandPalette opened={palette === 'open'} onClose={() => setPalette('closed')} />
            </Suspense>
          )}
        </AppShell>
      </ModalsProvider>
    </QueryClientProvider>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const key = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
  return (
    <Button
      variant="default"
      size="xs"
      px={{ base: 8, sm: 'xs' }}
      fw={400}
      onClick={onClick}
      aria-keyshortcuts="Control+K Meta+K"
      leftSection={<IconSearch size={15} />}
      classNames={{ section: classes['search-icon'] ?? '' }}
    >
      <Box component="span" c="dimmed" pr={36} className={classes['search-text']}>
        Search or create
      </Box>
      <Kbd size="xs" visibleFrom="sm" aria-hidden>
        {key}
      </Kbd>
    </Button>
  );
}

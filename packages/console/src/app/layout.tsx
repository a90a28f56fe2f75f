import { AppShell, Box, Burger, Group, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import { IconSearch } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useKnown } from '../lib/loadable.ts';
import { SecondaryButton } from '../ui/layout/buttons.tsx';
import { lazyPart } from '../ui/layout/lazy-part.tsx';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { NotificationStrip } from '../features/notifications/notification-strip.tsx';
import { accountQuery } from '../lib/api/account.ts';
import { queryClient } from '../lib/api/query-client.ts';
import { brand } from '../lib/brand.ts';
import { loadToasts } from '../lib/toast.ts';
import { RoleContext } from '../lib/api/use-may.ts';
import { viewing } from '../lib/api/viewing.ts';
import { useAfterPaint } from '../ui/layout/after-paint.tsx';
import { ConnectionNotice } from '../ui/layout/connection-notice.tsx';
import { LoadFailures } from '../ui/layout/load-failures.tsx';
import { PageLoader } from '../ui/layout/page-loader.tsx';
import { UploadProgressBar } from '../ui/form/upload-progress.tsx';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { loadScreensAhead } from './loading/load-ahead.ts';
import { PermittedOutlet } from './outlet/permitted-outlet.tsx';
import { mayOpen } from './screen-rights.ts';
import { UserMenu } from './user-menu.tsx';

const CommandPalette = lazyPart(() => import('./commands/command-palette.tsx'), 'CommandPalette', {
  as: 'dialog',
});

const ViewingBanner = lazyPart(() => import('./banners.tsx'), 'ViewingBanner', { as: 'hint' });

const AddressBanner = lazyPart(() => import('./banners.tsx'), 'AddressBanner', { as: 'hint' });

const SetupFactorScreen = lazyPart(
  () => import('../features/accounts/setup-factor-screen.tsx'),
  'SetupFactorScreen',
);

const loadToastsEarly = () => void loadToasts().catch(() => {});

/** The screens behind the login. Rendered after the first paint, so that the page stays responsive. */
export function Layout() {
  return useAfterPaint() ? <Screens /> : <PageLoader />;
}

/** The frame, or the one screen of someone who has to set up a second factor. */
function Screens() {
  const user = useKnown(accountQuery, queryClient);
  const router = useRouter();
  const role = user?.role;
  useEffect(() => {
    if (!role) return undefined;
    return loadScreensAhead(
      router,
      (route) => route.parentRoute?.id === '/authenticated' && mayOpen(role, route.fullPath),
    );
  }, [router, role]);
  if (!user?.needs_second_factor || viewing)
    return (
      <RoleContext value={user?.role}>
        <Frame unconfirmed={user?.needs_email_confirmation ? user.email : null} />
      </RoleContext>
    );
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider modalProps={{ centered: false }}>
        <Suspense fallback={<PageLoader />}>
          <SetupFactorScreen companyName={user.company.name} />
        </Suspense>
      </ModalsProvider>
    </QueryClientProvider>
  );
}

/**
 * Frame of all screens behind the login: navigation, search, notifications and the user's menu. `unconfirmed` is the user's mail address
 * until they confirm it.
 */
function Frame({ unconfirmed }: { unconfirmed: string | null }) {
  const [isMenuOpen, { toggle: toggleMenu, close: closeMenu }] = useDisclosure(false);
  const [isCollapsed, setIsCollapsed] = useLocalStorage({
    key: 'bidwell.rail-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const collapsed = isCollapsed && !narrow;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isPainted = useAfterPaint();
  const [palette, setPalette] = useState<'never' | 'open' | 'closed'>('never');
  useHotkeys([['mod+K', () => setPalette(palette === 'open' ? 'closed' : 'open')]], []);
  useEffect(closeMenu, [path, closeMenu]);
  // Loads the toast library at the first input: an action may have to report that the server is unavailable.
  useWindowEvent('pointerdown', loadToastsEarly);
  useWindowEvent('keydown', loadToastsEarly);

  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider modalProps={{ centered: false }}>
        <AppShell
          header={{ height: 56 }}
          navbar={{ width: collapsed ? 64 : 212, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
          padding={{ base: 'sm', sm: 'lg' }}
        >
          <a href="#main" className={classes['skip']}>
            Skip to content
          </a>
          <Header isMenuOpen={isMenuOpen} onMenu={toggleMenu} onSearch={() => setPalette('open')} />
          <Navigation collapsed={collapsed} onToggle={() => setIsCollapsed(!isCollapsed)} />
          <AppShell.Main id="main" tabIndex={-1} className={classes['main']}>
            {viewing && (
              <Suspense>
                <ViewingBanner session={viewing} />
              </Suspense>
            )}
            {unconfirmed !== null && !viewing && (
              <Suspense>
                <AddressBanner key={unconfirmed} email={unconfirmed} />
              </Suspense>
            )}
            <LoadFailures />
            <NotificationStrip />
            {isPainted && <PermittedOutlet />}
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

interface HeaderProps {
  isMenuOpen: boolean;
  onMenu: () => void;
  onSearch: () => void;
}

function Header({ isMenuOpen, onMenu, onSearch }: HeaderProps) {
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={isMenuOpen}
            onClick={onMenu}
            hiddenFrom="sm"
            size="sm"
            aria-label="Menu"
            aria-expanded={isMenuOpen}
          />
          <Link to="/" className={classes['home']} aria-label={`${brand.name}, home`}>
            <Logo />
          </Link>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SearchButton onClick={onSearch} />
          <NotificationBell />
          <UserMenu />
        </Group>
      </Group>
    </AppShell.Header>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const key = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
  return (
    <SecondaryButton
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
    </SecondaryButton>
  );
}

import type { OperatorPermission } from '@bidwell/contract/operator-accounts/permissions';
import {
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ModalsProvider } from '@mantine/modals';
import {
  IconArrowsExchange,
  IconBrandApple,
  IconBuilding,
  IconCoins,
  IconEyeCheck,
  IconHeartbeat,
  IconHistory,
  IconPalette,
  IconRulerMeasure,
  IconUsers,
} from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, Link, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useKnown } from '../lib/loadable.ts';
import { queryClient } from '../lib/api/query-client.ts';
import { brand } from '../lib/brand.ts';
import { Caption } from '../ui/layout/text.tsx';
import { EntityOutlet } from './outlet/entity-outlet.tsx';
import { loadScreensAhead } from './loading/load-ahead.ts';
import { logOut, mayCall, operatorSessionQuery } from '../entities/operator-accounts/session-queries.ts';
import { onOperatorSessionEnd } from '../lib/api/operator-client.ts';
import { rememberReturnAddress } from '../lib/api/return-address.ts';
import { toastError } from '../lib/toast.ts';
import { setOperatorOfInput, storeUnsavedInput } from '../ui/form/unsaved-input.ts';
import { LoadFailures } from '../ui/layout/load-failures.tsx';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import navigationClasses from './navigation.module.css';

interface Place {
  to: string;
  label: string;
  icon: typeof IconHistory;
  /** The permission that an operator needs to see it. */
  permission: OperatorPermission;
}

const places: readonly Place[] = [
  { to: '/operator/review', label: 'Review', icon: IconEyeCheck, permission: 'moderation.read' },
  { to: '/operator/health', label: 'Health', icon: IconHeartbeat, permission: 'server.read' },
  { to: '/operator/companies', label: 'Companies', icon: IconBuilding, permission: 'company.read' },
  { to: '/operator/money', label: 'Money', icon: IconCoins, permission: 'money.read' },
  { to: '/operator/exchanges', label: 'Exchanges', icon: IconArrowsExchange, permission: 'exchange.read' },
  { to: '/operator/skadnetwork', label: 'SKAdNetwork', icon: IconBrandApple, permission: 'exchange.read' },
  { to: '/operator/partners', label: 'Partners', icon: IconRulerMeasure, permission: 'exchange.read' },
  { to: '/operator/brand', label: 'Brand', icon: IconPalette, permission: 'brand.read' },
  { to: '/operator/operators', label: 'Operators', icon: IconUsers, permission: 'operator.read' },
  { to: '/operator/log', label: 'Log', icon: IconHistory, permission: 'audit.read' },
];

/** Frame of the operator console: its menu, and the person who is logged in. */
export function OperatorLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider modalProps={{ centered: false }}>
        <Frame />
      </ModalsProvider>
    </QueryClientProvider>
  );
}

const operatorId = () => queryClient.getQueryData(operatorSessionQuery.queryKey)?.uuid ?? null;
setOperatorOfInput(operatorId);

/** Leads to the login, from where the same operator comes back with what they typed. */
async function endSession({ history, navigate }: AnyRouter): Promise<void> {
  const owner = operatorId();
  if (owner === null) return;
  storeUnsavedInput(owner);
  rememberReturnAddress(history.location.href, owner);
  queryClient.removeQueries({ queryKey: operatorSessionQuery.queryKey });
  await navigate({ to: '/operator/login', ignoreBlocker: true });
  queryClient.removeQueries({ queryKey: ['operator'] });
}

function Frame() {
  const [isMenuOpen, { toggle, close }] = useDisclosure(false);
  const router = useRouter();
  useEffect(() => loadScreensAhead(router, ({ parentRoute }) => parentRoute?.id === '/operator'), [router]);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const operator = useKnown(operatorSessionQuery);
  useEffect(() => onOperatorSessionEnd(() => void endSession(router)), [router]);
  useEffect(close, [path, close]);
  const shown = places.filter(({ permission }) => mayCall(operator?.role, permission));
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 212, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#main" className={classes['skip']}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isMenuOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={isMenuOpen}
            />
            <Link
              to={'/operator' as string}
              className={classes['home']}
              aria-label={`${brand.name}, operator console`}
            >
              <Logo />
            </Link>
            <Badge variant="default" radius="sm" visibleFrom="xs">
              Operator
            </Badge>
          </Group>
          <OperatorMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        {shown.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            active={path.startsWith(to)}
            aria-current={path.startsWith(to) ? 'page' : undefined}
            leftSection={<Icon size={19} stroke={1.6} />}
            className={navigationClasses['link']}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes['main']}>
        <LoadFailures />
        <EntityOutlet area="operator" />
      </AppShell.Main>
    </AppShell>
  );
}

function OperatorMenu() {
  const router = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const operator = useKnown(operatorSessionQuery);
  const leave = async () => {
    await logOut();
    router.history.push('/operator/login');
  };
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <UnstyledButton>
          <Text size="sm" fw={500}>
            {operator?.name ?? 'Token'}
          </Text>
          <Caption>{operator?.role}</Caption>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
            fw={colorScheme === scheme ? 600 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {scheme === 'auto' ? 'System' : scheme === 'light' ? 'Light' : 'Dark'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={'/operator/account' as string}>
          Your account
        </Menu.Item>
        <Menu.Item onClick={() => void leave().catch(toastError)}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

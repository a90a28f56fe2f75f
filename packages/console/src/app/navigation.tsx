import { AppShell, NavLink, ScrollArea } from '@mantine/core';
import {
  IconChartBar,
  IconChevronsLeft,
  IconChevronsRight,
  IconPhoto,
  IconTarget,
  IconWallet,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useKnown } from '../lib/loadable.ts';
import { accountQuery } from '../lib/api/account.ts';
import { BrandLinks } from '../ui/layout/brand-links.tsx';
import { LazyTooltip } from '../ui/layout/lazy-tooltip.tsx';
import classes from './navigation.module.css';
import { mayOpen } from './screen-rights.ts';

const links = [
  {
    to: '/campaigns',
    label: 'Campaigns',
    icon: IconTarget,
    pathPrefixes: ['/adset'],
  },
  { to: '/reports', label: 'Reports', icon: IconChartBar, pathPrefixes: [] },
  {
    to: '/assets',
    label: 'Assets',
    icon: IconPhoto,
    pathPrefixes: ['/add-app', '/edit-app', '/creative', '/targets', '/tracking-links'],
  },
  { to: '/finances', label: 'Finances', icon: IconWallet, pathPrefixes: [] },
] as const;

interface NavigationProps {
  /** Shows icons only. */
  collapsed: boolean;
  onToggle: () => void;
}

/** The main menu: what the role of the logged-in user may read. */
export function Navigation({ collapsed, onToggle }: NavigationProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const user = useKnown(accountQuery);
  const shown = links.filter(({ to }) => mayOpen(user?.role, to));
  const toggleLabel = collapsed ? 'Expand menu' : 'Collapse menu';
  return (
    <AppShell.Navbar p="xs" aria-label="Main">
      <AppShell.Section grow component={ScrollArea}>
        {shown.map(({ to, label, icon: Icon, pathPrefixes }) => {
          const active = [to, ...pathPrefixes].some((prefix) => path.startsWith(prefix));
          return (
            <LazyTooltip key={to} label={label} position="right" disabled={!collapsed}>
              <NavLink
                component={Link}
                to={to}
                label={collapsed ? undefined : label}
                aria-label={label}
                aria-current={active ? 'page' : undefined}
                leftSection={<Icon size={19} stroke={1.6} />}
                active={active}
                className={classes['link']}
                data-collapsed={collapsed || undefined}
              />
            </LazyTooltip>
          );
        })}
      </AppShell.Section>
      {!collapsed && (
        <AppShell.Section>
          <BrandLinks px="sm" py="xs" />
        </AppShell.Section>
      )}
      <AppShell.Section visibleFrom="sm">
        <LazyTooltip label={toggleLabel} position="right" disabled={!collapsed}>
          <NavLink
            component="button"
            label={collapsed ? undefined : toggleLabel}
            aria-label={toggleLabel}
            leftSection={collapsed ? <IconChevronsRight size={19} /> : <IconChevronsLeft size={19} />}
            onClick={onToggle}
            className={classes['link']}
            c="dimmed"
            data-collapsed={collapsed || undefined}
          />
        </LazyTooltip>
      </AppShell.Section>
    </AppShell.Navbar>
  );
}

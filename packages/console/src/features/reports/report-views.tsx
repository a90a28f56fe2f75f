import { Group } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/layout/links.tsx';

const views = [
  { to: '/reports', label: 'Overview' },
  { to: '/reports/cohorts', label: 'Cohorts' },
  { to: '/reports/skadnetwork', label: 'SKAdNetwork' },
  { to: '/reports/scheduled', label: 'Scheduled' },
] as const;

/** Links between the screens of reports, which keep the range of days. */
export function ReportViews() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <Group component="nav" aria-label="Reports" gap={4} mb="sm" className="no-print">
      {views.map(({ to, label }) => (
        <ButtonLink
          key={to}
          to={to}
          search={({ from, to: until, campaign_uuid }) => ({
            from,
            to: until,
            campaign_uuid,
          })}
          size="compact-sm"
          variant={path === to ? 'light' : 'subtle'}
          color={path === to ? undefined : 'gray'}
          aria-current={path === to ? 'page' : undefined}
        >
          {label}
        </ButtonLink>
      ))}
    </Group>
  );
}

import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { PageHeader } from '../ui/layout/page-header.tsx';
import { PageLoader } from '../ui/layout/page-loader.tsx';

const AppsTab = lazy(async () => ({ default: (await import('../features/apps/apps-tab.tsx')).AppsTab }));
const CreativeGroupsTab = lazy(async () => ({
  default: (await import('../features/creative-groups/creative-groups-screen.tsx')).CreativeGroupsTab,
}));
const CreativesTab = lazy(async () => ({
  default: (await import('./creative-screens.tsx')).CreativesInTab,
}));
const TargetsTab = lazy(async () => ({
  default: (await import('../features/targets/targets-screen.tsx')).TargetsTab,
}));
const TrackingLinksTab = lazy(async () => ({
  default: (await import('../features/tracking-links/tracking-links-screen.tsx')).TrackingLinksTab,
}));

const tabs = [
  { value: 'apps', label: 'Apps', Tab: AppsTab },
  { value: 'creative-groups', label: 'Creative groups', Tab: CreativeGroupsTab },
  { value: 'creatives', label: 'Creatives', Tab: CreativesTab },
  { value: 'targets', label: 'Targets', Tab: TargetsTab },
  { value: 'tracking-links', label: 'Tracking links', Tab: TrackingLinksTab },
] as const;

type TabName = (typeof tabs)[number]['value'];

/** /assets?tab=: apps, creative groups, creatives, targets and tracking links in tabs. */
export function AssetsScreen() {
  const { tab = 'apps' } = useSearch({ strict: false }) as { tab?: TabName };
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Assets"
        description="Apps, creatives, targets and tracking links for your ad sets."
      />
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ to: '/assets', search: { tab: value as TabName } })}
        keepMounted={false}
      >
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} ref={value === tab ? showTab : undefined}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, Tab }) => (
          <Tabs.Panel key={value} value={value}>
            <Suspense fallback={<PageLoader />}>
              <Tab />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

/** Scrolls the selected tab into view: on a phone the tabs are wider than the screen. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

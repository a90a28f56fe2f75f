import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazyPart } from '../ui/layout/lazy-part.tsx';
import { PageHeader } from '../ui/layout/page-header.tsx';
import { ScreenTabs } from '../ui/layout/screen-tabs.tsx';

const AppsTab = lazyPart(() => import('../features/apps/apps-tab.tsx'), 'AppsTab');
const CreativeGroupsTab = lazyPart(
  () => import('../features/creative-groups/creative-groups-screen.tsx'),
  'CreativeGroupsTab',
);
const CreativesTab = lazyPart(() => import('./creative-screens.tsx'), 'CreativesInTab');
const AudiencesTab = lazyPart(() => import('../features/audiences/audiences-tab.tsx'), 'AudiencesTab');
const TargetsTab = lazyPart(() => import('../features/targets/targets-screen.tsx'), 'TargetsTab');
const TrackingLinksTab = lazyPart(
  () => import('../features/tracking-links/tracking-links-screen.tsx'),
  'TrackingLinksTab',
);

const tabs = [
  { value: 'apps', label: 'Apps', content: () => <AppsTab /> },
  { value: 'creative-groups', label: 'Creative groups', content: () => <CreativeGroupsTab /> },
  { value: 'creatives', label: 'Creatives', content: () => <CreativesTab /> },
  { value: 'targets', label: 'Targets', content: () => <TargetsTab /> },
  { value: 'audiences', label: 'Audiences', content: () => <AudiencesTab /> },
  { value: 'tracking-links', label: 'Tracking links', content: () => <TrackingLinksTab /> },
] as const;

type TabName = (typeof tabs)[number]['value'];

/** /assets?tab=: apps, creative groups, creatives, targets, audiences and tracking links in tabs. */
export function AssetsScreen() {
  const { tab = 'apps' } = useSearch({ strict: false }) as { tab?: TabName };
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Assets"
        description="Apps, creatives, targets, audiences and tracking links for your ad sets."
      />
      <ScreenTabs
        tabs={tabs}
        selected={tab}
        onSelect={(selected) => void navigate({ to: '/assets', search: { tab: selected } })}
      />
    </>
  );
}

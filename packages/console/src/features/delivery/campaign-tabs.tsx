import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { PageLoader } from '../../ui/layout/page-loader.tsx';

const BundlesTab = lazyPart(() => import('./bundles/bundles-tab.tsx'), 'BundlesTab');

const PricesTab = lazyPart(() => import('./prices/prices-tab.tsx'), 'PricesTab');
const ReachTab = lazyPart(() => import('./reach/reach-tab.tsx'), 'ReachTab');
const BidsTab = lazyPart(() => import('./bids/bids-tab.tsx'), 'BidsTab');
const CreativesTab = lazyPart(() => import('./creatives/creatives-tab.tsx'), 'CreativesTab');
const ChangesTab = lazyPart(() => import('./changes/changes-tab.tsx'), 'ChangesTab');
const MeasurementTab = lazyPart(() => import('./measurement-tab.tsx'), 'MeasurementTab');

const tabs = [
  { value: 'bundles', label: 'Bundles', Tab: BundlesTab },
  { value: 'prices', label: 'Prices', Tab: PricesTab },
  { value: 'reach', label: 'Reach', Tab: ReachTab },
  { value: 'bids', label: 'Bids', Tab: BidsTab },
  { value: 'creatives', label: 'Creatives', Tab: CreativesTab },
  { value: 'changes', label: 'Changes', Tab: ChangesTab },
  { value: 'measurement', label: 'Measurement', Tab: MeasurementTab },
] as const;

/** On a phone the tabs are wider than the screen. */
const showTab = (selected: HTMLElement | null) =>
  selected?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

interface CampaignTabsProps {
  uuid: string;
  range: DateRange;
  /** The first tab. */
  delivery: ReactNode;
}

/** Where the bid requests and the money of a campaign went, in tabs; the URL has the open one. */
export function CampaignTabs({ uuid, range, delivery }: CampaignTabsProps) {
  const search = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const tab = tabs.find(({ value }) => value === search.tab)?.value ?? 'delivery';
  const open = (value: string | null) =>
    void navigate({
      to: '/campaigns/delivery',
      search: ({ from, to }) => ({
        uuid,
        from,
        to,
        tab: value === 'delivery' ? undefined : (value ?? undefined),
      }),
    });
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        <Tabs.Tab value="delivery">Delivery</Tabs.Tab>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value} ref={value === tab ? showTab : null}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="delivery">{delivery}</Tabs.Panel>
      {tabs.map(({ value, Tab }) => (
        <Tabs.Panel key={value} value={value}>
          <Suspense fallback={<PageLoader />}>
            <Tab uuid={uuid} range={range} />
          </Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

import { Box, Tabs } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { PageLoader } from './page-loader.tsx';

/** A tab of a screen; only the content of the selected one is rendered. */
export interface ScreenTab<Name extends string> {
  value: Name;
  label: string;
  content: () => ReactNode;
}

/** The tabs of a screen, which scroll sideways on a phone. */
export function ScreenTabs<Name extends string>({
  tabs,
  selected,
  onSelect,
}: {
  tabs: readonly ScreenTab<Name>[];
  selected: Name;
  onSelect: (tab: Name) => void;
}) {
  return (
    <Tabs value={selected} onChange={(value) => onSelect(value as Name)} keepMounted={false}>
      <Box mb="md" style={{ overflowX: 'auto', overflowY: 'hidden' }}>
        {/* As wide as its tabs, so that the line below them is too. */}
        <Tabs.List miw="max-content" style={{ flexWrap: 'nowrap' }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} ref={value === selected ? showTab : undefined}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Box>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          <Suspense fallback={<PageLoader />}>{value === selected && content()}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Scrolls the selected tab into view: on a phone the tabs are wider than the screen. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

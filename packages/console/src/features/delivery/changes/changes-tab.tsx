import type { CampaignChanges } from '@bidwell/contract/campaign-reports/changes';
import { Skeleton, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { campaignChangesQuery } from '../../../entities/campaign-reports/queries.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { ChangeChart, ChangeChartLoading } from './change-chart.tsx';
import { ChangeEntry } from './change-entry.tsx';
import classes from './changes-tab.module.css';

/** Changes that are shown at first. */
const SHOWN = 20;

/** The changes of a campaign and its ad sets, on a chart and with the figures before and after each. */
export function ChangesTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const figures = useLoadable(campaignChangesQuery(uuid, range));
  const report = knownData(figures);
  const [shown, setShown] = useState(SHOWN);
  const [current, setCurrent] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  if (!report)
    return (
      <FigureFrame
        figures={figures}
        what="The changes"
        skeleton={
          <Stack>
            <ChangeChartLoading />
            <Section title="Changes" flush>
              <Stack p="md" gap="lg">
                <Skeleton height={34} />
                <Skeleton height={34} />
                <Skeleton height={34} />
              </Stack>
            </Section>
          </Stack>
        }
      >
        {null}
      </FigureFrame>
    );
  /** Shows a change in the list, and moves the focus there. */
  const show = (change: string) => {
    const index = report.changes.findIndex((one) => one.uuid === change);
    setShown((before) => Math.max(before, index + 1));
    setCurrent(change);
    // Once it is rendered.
    requestAnimationFrame(() => {
      const entry = list.current?.children.item(index);
      if (!(entry instanceof HTMLElement)) return;
      entry.scrollIntoView({ block: 'center' });
      entry.focus({ preventScroll: true });
    });
  };
  return (
    <FigureFrame figures={figures} what="The changes">
      <Stack>
        <ChangeChart report={report} onShow={show} />
        <Section title="Changes" flush>
          {report.changes.length === 0 && (
            <EmptyState
              title="No changes in this range"
              text="Changes of the campaign and its ad sets are listed here, with the figures before and after each."
            />
          )}
          <ol className={classes['list']} ref={list} aria-label="Changes">
            {report.changes.slice(0, shown).map((change) => (
              <ChangeEntry key={change.uuid} change={change} isCurrent={change.uuid === current} />
            ))}
          </ol>
          {report.changes.length > shown && (
            <SecondaryButton m="md" onClick={() => setShown((before) => before + SHOWN)}>
              Show {Math.min(SHOWN, report.changes.length - shown)} more
            </SecondaryButton>
          )}
        </Section>
        <Note report={report} />
      </Stack>
    </FigureFrame>
  );
}

function Note({ report: { changes, total } }: { report: CampaignChanges }) {
  const isCompared = changes.some(({ comparison }) => comparison?.outcome === 'compared');
  return (
    <Caption>
      {total > changes.length &&
        `The newest ${formatNumber(changes.length)} of ${formatNumber(total)} changes are listed: choose a shorter range to see the others. `}
      {isCompared &&
        'Figures are for what was changed: the ad set or the whole campaign. In 95 of 100 cases the true rate is within the range beneath it; rates count as higher or lower where the ranges do not overlap. The market and other changes also affect the figures after a change.'}
    </Caption>
  );
}

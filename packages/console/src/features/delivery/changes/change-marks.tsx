import type { CampaignChanges, ComparedChange } from '@bidwell/contract/campaign-reports/changes';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';
import type { ChartLayout } from '../../../ui/chart/time-chart.tsx';
import { changeLine } from './change-text.ts';
import classes from './changes-tab.module.css';
import { type Mark, markGroups } from './mark-groups.ts';

const LINES_MAX = 6;

interface ChangeMarksProps {
  report: CampaignChanges;
  /** Labels of the buckets. */
  buckets: readonly string[];
  layout: ChartLayout;
  onShow: (changeUuid: string) => void;
}

/** Marks over a chart at the times of changes. Changes of one bucket, or too close to each other, share a mark. */
export function ChangeMarks({ report, buckets, layout, onShow }: ChangeMarksProps) {
  return (
    <ul className={classes['marks']} aria-label="Changes on the chart">
      {markGroups(report.changes, report.points, layout.xs).map((mark) => (
        <li key={mark.indexes[0]}>
          {mark.indexes.map((index) => (
            <span
              key={index}
              aria-hidden
              className={classes['line']}
              style={{ left: layout.xs[index], height: layout.bottom }}
            />
          ))}
          <span className={classes['place']} style={{ left: mark.x }}>
            <LazyTooltip label={<MarkLines mark={mark} when={whenOf(mark, buckets)} />} multiline maw={340}>
              <button
                type="button"
                className={classes['mark']}
                aria-label={markName(mark, whenOf(mark, buckets))}
                onClick={() => onShow(mark.changes[0]!.uuid)}
              >
                {mark.changes.length}
              </button>
            </LazyTooltip>
          </span>
        </li>
      ))}
    </ul>
  );
}

function MarkLines({ mark: { changes }, when }: { mark: Mark<ComparedChange>; when: string }) {
  return (
    <>
      <b>{when}</b>
      {changes.slice(0, LINES_MAX).map((change) => (
        <div key={change.uuid}>{changeLine(change)}</div>
      ))}
      {changes.length > LINES_MAX && <div>and {changes.length - LINES_MAX} more</div>}
    </>
  );
}

function whenOf({ indexes }: Mark<ComparedChange>, buckets: readonly string[]): string {
  const [first, last] = [buckets[indexes[0]!]!, buckets[indexes.at(-1)!]!];
  return first === last ? first : `${first} – ${last}`;
}

const markName = ({ changes }: Mark<ComparedChange>, when: string): string =>
  `${changes.length === 1 ? '1 change' : `${changes.length} changes`}, ${when}: show in the list`;

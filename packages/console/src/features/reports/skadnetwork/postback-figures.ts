import type { PostbackCounts, PostbackKey, PostbackRow } from '@bidwell/contract/skadnetwork/report';

type Figure = keyof PostbackCounts;

/** The figures of a report, in the order of its columns. */
export const POSTBACK_FIGURES: readonly { id: Figure; title: string }[] = [
  { id: 'postbacks', title: 'Postbacks' },
  { id: 'won', title: 'Won' },
  { id: 'lost', title: 'Lost' },
  { id: 'downloads', title: 'Downloads' },
  { id: 'redownloads', title: 'Redownloads' },
  { id: 're_engagements', title: 'Re-engagements' },
];

const LATER_WINDOWS: ReadonlySet<string> = new Set(['1', '2']);
/** Figures that count people, which only postbacks of the first window do. */
const OF_FIRST_WINDOW: ReadonlySet<Figure> = new Set(['downloads', 'redownloads', 're_engagements']);

/** A figure of a row that is grouped by keys; null for people in a row of a later window, whose postbacks count none. Pure. */
export function postbackFigure(
  row: PostbackRow,
  keys: readonly PostbackKey[],
  figure: Figure,
): number | null {
  const window = row.groups[keys.indexOf('window')]?.key ?? '';
  return LATER_WINDOWS.has(window) && OF_FIRST_WINDOW.has(figure) ? null : row[figure];
}

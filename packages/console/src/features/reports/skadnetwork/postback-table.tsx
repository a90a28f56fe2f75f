import type { PostbackKey, PostbackReport, PostbackRow } from '@bidwell/contract/skadnetwork/report';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useMemo, useState } from 'react';
import { postbackKeyTexts } from '../../../entities/skadnetwork/postback-text.ts';
import type { Figures } from '../../../lib/figures.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column, TableState } from '../../../ui/table/table-state.ts';

const figureColumns: readonly Column<PostbackRow>[] = [
  numberColumn('postbacks', 'Postbacks', ({ postbacks }) => postbacks),
  numberColumn('won', 'Won', ({ won }) => won),
  numberColumn('lost', 'Lost', ({ lost }) => lost),
  numberColumn('downloads', 'Downloads', ({ downloads }) => downloads),
  numberColumn('redownloads', 'Redownloads', ({ redownloads }) => redownloads),
  numberColumn('re_engagements', 'Re-engagements', ({ re_engagements: count }) => count),
];

interface PostbackTableProps {
  figures: Figures<PostbackReport>;
  /** What the rows are grouped by. */
  keys: readonly PostbackKey[];
}

/** The counts of postbacks by their keys. */
export function PostbackTable({ figures, keys }: PostbackTableProps) {
  const [state, setState] = useState<TableState>({});
  // The rows of a selection before have other keys.
  const report = figures.state === 'stale' ? undefined : figures.data;
  const columns = useMemo(
    () => [
      ...keys.map((key, index): Column<PostbackRow> => ({
        id: key,
        header: postbackKeyTexts[key],
        cell: ({ groups }) => groups[index]?.name ?? '',
        sortBy: ({ groups }) => groups[index]?.name ?? '',
        fixed: index === 0,
      })),
      ...figureColumns,
    ],
    [keys],
  );
  return (
    <DataTable
      label="Postbacks"
      columns={columns}
      rows={report?.rows}
      figures={figures}
      rowId={({ groups }) => JSON.stringify(groups)}
      rowName={({ groups }) => groups.map(({ name }) => name).join(', ')}
      state={state}
      onStateChange={setState}
      minWidth={980}
      empty={<EmptyState title="No postbacks arrived in this range" text={screenMessages.postbacksEmpty} />}
    />
  );
}

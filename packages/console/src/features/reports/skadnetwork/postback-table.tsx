import type { PostbackKey, PostbackReport, PostbackRow } from '@bidwell/contract/skadnetwork/report';
import { postbackTexts } from '@bidwell/contract/text/skadnetwork-text';
import type { TableState } from '../../../lib/table-search.ts';
import { useMemo, useState } from 'react';
import { postbackKeyTexts } from '../../../entities/skadnetwork/postback-text.ts';
import { type Loadable, knownData } from '../../../lib/loadable.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import { POSTBACK_FIGURES, postbackFigure } from './postback-figures.ts';

interface PostbackTableProps {
  figures: Loadable<PostbackReport>;
  /** What the rows are grouped by. */
  keys: readonly PostbackKey[];
  /** Uuid of the only app; undefined for all. */
  appId: string | undefined;
}

/** The counts of postbacks by their keys. */
export function PostbackTable({ figures, keys, appId }: PostbackTableProps) {
  const [state, setState] = useState<TableState>({});
  // The rows of a selection before have other keys.
  const report = figures.state === 'stale' ? undefined : knownData(figures);
  const total = report?.total;
  const columns = useMemo(() => columnsOf(keys, total), [keys, total]);
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
      empty={report && <NoPostbacks apps={report.apps} appId={appId} />}
    />
  );
}

function columnsOf(
  keys: readonly PostbackKey[],
  total: PostbackReport['total'] | undefined,
): readonly Column<PostbackRow>[] {
  return [
    ...keys.map((key, index): Column<PostbackRow> => ({
      id: key,
      header: postbackKeyTexts[key],
      cell: ({ groups }) => groups[index]?.name ?? '',
      sortBy: ({ groups }) => groups[index]?.name ?? '',
      fixed: index === 0,
      ...(index === 0 && { footer: 'Total' }),
    })),
    ...POSTBACK_FIGURES.map(({ id, title }) => ({
      ...numberColumn<PostbackRow>(id, title, (row) => postbackFigure(row, keys, id)),
      footer: () => formatNumber(total?.[id] ?? null),
    })),
  ];
}

interface NoPostbacksProps {
  apps: PostbackReport['apps'];
  /** Uuid of the only app of the report; undefined for all. */
  appId: string | undefined;
}

/** Says why a range has no postbacks: without an app of the App Store, or with signing switched off, there is nothing to wait for. */
function NoPostbacks({ apps: { ios, signed }, appId }: NoPostbacksProps) {
  if (signed > 0) return <EmptyState {...postbackTexts.empty} />;
  const action =
    appId === undefined ? (
      <ButtonLink to="/assets" search={{ tab: 'apps' }} variant="default">
        Apps
      </ButtonLink>
    ) : (
      <ButtonLink to="/edit-app" search={{ uuid: appId }} variant="default">
        Open the app
      </ButtonLink>
    );
  return <EmptyState {...(ios === 0 ? postbackTexts.noIosApp : postbackTexts.signingOff)} action={action} />;
}

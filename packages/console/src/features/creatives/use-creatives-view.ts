import { CREATIVE_TYPES, type Creative, type CreativeType } from '@bidwell/contract/creatives/schema';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { currentOnly } from '../../lib/current-only.ts';
import { knownData, mapped, useLoadable } from '../../lib/loadable.ts';
import { creativesQuery } from '../../entities/creatives/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import type { CreativeSearch } from './creative-search.ts';

/** What the creatives screen shows. The URL holds type, app and selected creative, in addition to the table's state. */
export function useCreativesView() {
  const list = useLoadable(creativesQuery);
  const creatives = knownData(list);
  const [table, setTable] = useTableSearch();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as CreativeSearch;
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const ofApp = creatives?.filter(({ app }) => !search.app || app.uuid === search.app);
  const linked = ofApp?.find(({ uuid }) => uuid === search.creative);
  const type = search.type ?? linked?.internal_creative.type ?? firstType(ofApp, table.status);
  const rows = ofApp?.filter(({ internal_creative: asset }) => asset.type === type);
  const picked = rows?.find(({ uuid }) => uuid === search.creative);
  const first = wide ? rows?.find((row) => isArchived(row) === (table.archived ?? false)) : undefined;
  const dates = useRangeSearch();
  return {
    type,
    /** The days of the figures. */
    dates,
    /** Uuid of the app that the creatives are limited to. */
    app: search.app,
    /** Changes the URL. */
    change: (changes: CreativeSearch & { page?: number | undefined }) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true }),
    table,
    setTable,
    /** Load state of the creatives. */
    list,
    /** The creatives of the type and the app; undefined while loading. */
    rows,
    /** The creatives of every type that are not archived. */
    current: mapped(list, (known) =>
      currentOnly(known.filter(({ app }) => !search.app || app.uuid === search.app)),
    ),
    /** Names of the apps that have creatives, by uuid. */
    apps: new Map(creatives?.map(({ app }) => [app.uuid, app.name])),
    /** Whether the preview is next to the table instead of in a dialog. */
    wide,
    /** The selected creative. */
    picked,
    /** The creative in the preview: without a selected one, the first one if the preview is next to the table. */
    shown: picked ?? first,
  };
}

/** The type to begin with: without a status in the URL the first one, else one that has creatives of the status. */
function firstType(creatives: readonly Creative[] | undefined, status: string | undefined): CreativeType {
  if (!creatives) return 'Banner';
  const ofStatus = currentOnly(creatives).filter((creative) => creative.status === status);
  const types = new Set(ofStatus.map(({ internal_creative: asset }) => asset.type));
  return CREATIVE_TYPES.find((type) => types.has(type)) ?? 'Banner';
}

/** What {@link useCreativesView} returns. */
export type CreativesView = ReturnType<typeof useCreativesView>;

export const isArchived = ({ archived_at: archivedAt }: Creative): boolean => archivedAt !== null;

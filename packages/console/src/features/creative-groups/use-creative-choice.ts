import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import { useState } from 'react';
import { currentOnly } from '../../lib/current-only.ts';

/** Which creatives a picker shows. */
interface CreativeFilter {
  type: CreativeType;
  /** Null for all apps. */
  appUuid: string | null;
  search: string;
  onlyChosen: boolean;
}

/** State of choosing the creatives of a group: the filter, the creatives that match it, and the choice among them. */
export function useCreativeChoice(
  creatives: readonly Creative[],
  chosen: ReadonlySet<string>,
  onChange: (type: CreativeType, uuids: string[]) => void,
) {
  const [filter, setFilter] = useState<CreativeFilter>({
    type: 'Banner',
    appUuid: null,
    search: '',
    onlyChosen: false,
  });
  const all = currentOnly(creatives, ...chosen);
  const ofType = all.filter((creative) => creative.internal_creative.type === filter.type);
  const text = filter.search.trim().toLowerCase();
  const found = ofType.filter(
    (creative) =>
      (!filter.appUuid || creative.app.uuid === filter.appUuid) &&
      (!filter.onlyChosen || chosen.has(creative.uuid)) &&
      searchText(creative).includes(text),
  );
  return {
    filter,
    setFilter: (changes: Partial<CreativeFilter>) => setFilter((before) => ({ ...before, ...changes })),
    /** Names of the apps that have creatives, by uuid. */
    apps: new Map(all.map(({ app }) => [app.uuid, app.name])),
    ofType,
    found,
    /** Number of chosen creatives of a type. */
    countOf: (type: CreativeType) =>
      all.filter(({ uuid, internal_creative: asset }) => asset.type === type && chosen.has(uuid)).length,
    /** Number of chosen creatives among those found. */
    foundChosen: found.filter(({ uuid }) => chosen.has(uuid)).length,
    /** Adds creatives of the type to the choice, or removes them. */
    setChosen: (uuids: readonly string[], on: boolean) => {
      const others = ofType
        .map(({ uuid }) => uuid)
        .filter((uuid) => chosen.has(uuid) && !uuids.includes(uuid));
      onChange(filter.type, on ? [...others, ...uuids] : others);
    },
  };
}

/** What {@link useCreativeChoice} returns. */
export type CreativeChoice = ReturnType<typeof useCreativeChoice>;

function searchText({ uuid, app, internal_creative: { name, width, height } }: Creative): string {
  return `${name} ${width}×${height} ${width}x${height} ${app.name} ${uuid}`.toLowerCase();
}

import type { SubRegion } from '@bidwell/contract/reference/schema';
import { useMemo } from 'react';
import { audiencesQuery } from '../../entities/audiences/queries.ts';
import { useKnown } from '../../lib/loadable.ts';
import {
  connectionTypesQuery,
  languagesQuery,
  phoneModelsQuery,
  regionsQuery,
  sspsQuery,
  subRegionsQuery,
} from '../../entities/reference/queries.ts';

/** Display names of the values in targets; an unknown value is its own name. */
export interface TargetNames {
  country: (code: string) => string;
  region: (code: string) => string;
  language: (code: string) => string;
  connection: (type: string) => string;
  exchange: (slug: string) => string;
  model: (value: string) => string;
  audience: (uuid: string) => string;
  /** Undefined while they are not known. */
  subRegions: readonly SubRegion[] | undefined;
  /** False while the lists are loading and names would be codes. */
  ready: boolean;
}

/** Loads the display names for targets. Device models, regions and audiences are fetched only if a target has some. */
export function useTargetNames({
  models: withModels,
  regions: codes,
  audiences: withAudiences,
}: {
  models: boolean;
  /** The regions that have to be named. */
  regions: readonly string[];
  audiences: boolean;
}): TargetNames {
  const countries = countriesOf(codes);
  const regions = useKnown({ ...regionsQuery(countries), enabled: countries.length > 0 });
  const subRegions = useKnown(subRegionsQuery);
  const languages = useKnown(languagesQuery);
  const connections = useKnown(connectionTypesQuery);
  const exchanges = useKnown(sspsQuery);
  const models = useKnown({ ...phoneModelsQuery, enabled: withModels });
  const audiences = useKnown({ ...audiencesQuery, enabled: withAudiences });
  const lists = [
    subRegions,
    languages,
    connections,
    exchanges,
    ...(withModels ? [models] : []),
    ...(countries.length > 0 ? [regions] : []),
    ...(withAudiences ? [audiences] : []),
  ];
  const ready = lists.every((list) => list !== undefined);
  return useMemo(
    () => ({
      country: nameLookup(
        subRegions?.flatMap((region) => region.countries).map((one) => [one.code2, one.name]),
      ),
      region: nameLookup(regions?.map(({ value, name, english = name }) => [value, english])),
      language: nameLookup(languages?.map(({ value, name }) => [value, name])),
      connection: nameLookup(connections?.map(({ value, name }) => [value, name])),
      exchange: nameLookup(exchanges?.map(({ value, name }) => [value, name])),
      model: nameLookup(models?.map((model) => [model.value, modelName(model)])),
      audience: nameLookup(audiences?.map(({ uuid, name }) => [uuid, name])),
      subRegions,
      ready,
    }),
    [subRegions, languages, connections, exchanges, models, regions, audiences, ready],
  );
}

/** The countries of regions, each once and sorted. Pure. */
export const countriesOf = (regions: readonly string[]): string[] =>
  [...new Set(regions.map((code) => code.slice(0, 2)))].sort();

/** A model's name with its vendor, without repeating it. */
export function modelName({ vendor, name }: { vendor: string; name: string }): string {
  return vendor === 'Apple' || name.startsWith(vendor) ? name : `${vendor} ${name}`;
}

/** Finds the names of values; until they are known, a value is its own name. */
function nameLookup(pairs: (readonly [string, string])[] | undefined): (value: string) => string {
  if (!pairs) return (value) => value;
  const names = new Map(pairs);
  return (value) => names.get(value) ?? value;
}

import type { SubRegion } from '@bidwell/contract/reference/schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  connectionTypesQuery,
  languagesQuery,
  phoneModelsQuery,
  sspsQuery,
  subRegionsQuery,
} from '../../entities/reference/queries.ts';

/** Display names of the values in targets; an unknown value is its own name. */
export interface TargetNames {
  country: (code: string) => string;
  language: (code: string) => string;
  connection: (type: string) => string;
  exchange: (slug: string) => string;
  model: (value: string) => string;
  subRegions: readonly SubRegion[];
  /** False while the lists are loading and names would be codes. */
  ready: boolean;
}

const EMPTY: readonly never[] = [];

/** Loads the display names for targets. Device models are fetched only if a target has some. */
export function useTargetNames({ models: withModels }: { models: boolean }): TargetNames {
  const { data: subRegions = EMPTY, isPending: regionsPending } = useQuery(subRegionsQuery);
  const { data: languages = EMPTY, isPending: languagesPending } = useQuery(languagesQuery);
  const ready = !regionsPending && !languagesPending;
  const { data: connections = EMPTY } = useQuery(connectionTypesQuery);
  const { data: exchanges = EMPTY } = useQuery(sspsQuery);
  const { data: models = EMPTY } = useQuery({ ...phoneModelsQuery, enabled: withModels });
  return useMemo(
    () => ({
      country: nameLookup(
        subRegions.flatMap((region) => region.countries).map((one) => [one.code2, one.name]),
      ),
      language: nameLookup(languages.map(({ value, name }) => [value, name])),
      connection: nameLookup(connections.map(({ value, name }) => [value, name])),
      exchange: nameLookup(exchanges.map(({ value, name }) => [value, name])),
      model: nameLookup(models.map((model) => [model.value, modelName(model)])),
      subRegions,
      ready,
    }),
    [ready, subRegions, languages, connections, exchanges, models],
  );
}

/** A model's name with its vendor, without repeating it. */
export function modelName({ vendor, name }: { vendor: string; name: string }): string {
  return vendor === 'Apple' || name.startsWith(vendor) ? name : `${vendor} ${name}`;
}

function nameLookup(pairs: (readonly [string, string])[]): (value: string) => string {
  const names = new Map(pairs);
  return (value) => names.get(value) ?? value;
}

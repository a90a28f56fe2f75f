import { messages } from '@bidwell/contract/text/messages';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { appQuery } from '../../entities/apps/queries.ts';
import { campaignQuery } from '../../entities/campaigns/queries.ts';
import { companyQuery } from '../../entities/companies/queries.ts';
import { creativesQuery } from '../../entities/creatives/queries.ts';
import { ApiError, isNotFound } from '../../lib/api/api-error.ts';
import { useLoadable } from '../../lib/loadable.ts';

type Lookup = (uuid: string) => Pick<UseQueryOptions, 'queryKey' | 'queryFn'>;

/** The queries of the entities that screens filter by, by the name of the parameter. */
const lookups: Record<'company' | 'operator', Partial<Record<string, Lookup>>> = {
  company: {
    app: (uuid) => appQuery(uuid) as ReturnType<Lookup>,
    campaign_uuid: (uuid) => campaignQuery(uuid) as ReturnType<Lookup>,
    creative: (uuid) =>
      ({
        ...creativesQuery,
        select: (creatives: { uuid: string }[]) => {
          if (!creatives.some((creative) => creative.uuid === uuid))
            throw new ApiError(404, messages.notFoundPage);
          return null;
        },
      }) as unknown as ReturnType<Lookup>,
  },
  operator: { company: (uuid) => companyQuery(uuid) as ReturnType<Lookup> },
};

interface EntityLookupProps {
  area: 'company' | 'operator';
  /** Ids by the name of the parameter. */
  ids: Record<string, string>;
  /** Called when one of the entities does not exist. */
  onMissing: () => void;
}

/** Looks up the entities that an address names and that its screen does not read itself. Renders nothing. */
export function EntityLookup({ area, ids, onMissing }: EntityLookupProps) {
  return Object.entries(ids).map(([name, uuid]) => {
    const lookup = lookups[area][name];
    return lookup && <OneLookup key={name} query={lookup(uuid)} onMissing={onMissing} />;
  });
}

function OneLookup({ query, onMissing }: { query: ReturnType<Lookup>; onMissing: () => void }) {
  // Other failures are the screen's to show, which reads by the same id.
  const { error, isFetching } = useLoadable(query);
  const isMissing = isNotFound(error) && !isFetching;
  const report = useEffectEvent(onMissing);
  useEffect(() => {
    if (isMissing) report();
  }, [isMissing]);
  return null;
}

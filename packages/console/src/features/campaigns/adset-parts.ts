import type { CreativeGroup } from '@bidwell/contract/creative-group';
import type { Target } from '@bidwell/contract/target';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { useQuery } from '@tanstack/react-query';
import { creativeGroupsQuery } from '../../lib/queries/creative-groups.ts';
import { targetsQuery } from '../../lib/queries/targets.ts';
import { trackingLinksQuery } from '../../lib/queries/tracking-links.ts';
import { creativesOf } from './tree-rows.ts';

/** What ad sets are made of. */
export interface AdsetParts {
  targets: readonly Target[];
  links: readonly TrackingLink[];
  groups: readonly CreativeGroup[];
}

// What is missing is made in another tab; back here it must be there.
const fresh = { refetchOnWindowFocus: 'always' } as const;

/** Everything that an ad set can be made of. */
export function useAdsetParts(): AdsetParts {
  const { data: targets = none } = useQuery({ ...targetsQuery, ...fresh });
  const { data: links = none } = useQuery({ ...trackingLinksQuery, ...fresh });
  const { data: groups = none } = useQuery({ ...creativeGroupsQuery, ...fresh });
  return { targets, links, groups };
}

const none: never[] = [];

/** The parts that fit an app; all while it is not known. */
export function partsOfApp({ targets, links, groups }: AdsetParts, appUuid: string | undefined): AdsetParts {
  if (!appUuid) return { targets, links, groups };
  return {
    targets: targets.filter((target) => target.app.uuid === appUuid),
    links: links.filter((link) => link.app_id === appUuid),
    groups: groups.filter((group) => creativesOf(group).every(({ app }) => app.uuid === appUuid)),
  };
}

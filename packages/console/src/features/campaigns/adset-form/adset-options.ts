import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { Target } from '@bidwell/contract/targets/schema';
import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { useQuery } from '@tanstack/react-query';
import { currentOnly } from '../../../lib/current-only.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { targetsQuery } from '../../../entities/targets/queries.ts';
import { trackingLinksQuery } from '../../../entities/tracking-links/queries.ts';
import { creativesOf } from '../table/tree-rows.ts';

/** Targets, tracking links and creative groups that an ad set can refer to. */
export interface AdsetOptions {
  /** Whether all have loaded; until then lists may be empty that are not. */
  isKnown: boolean;
  targets: readonly Target[];
  links: readonly TrackingLink[];
  groups: readonly CreativeGroup[];
}

/** Fetches all options that an ad set can refer to. */
export function useAdsetOptions(): AdsetOptions {
  const { data: targets } = useQuery(targetsQuery);
  const { data: links } = useQuery(trackingLinksQuery);
  const { data: groups } = useQuery(creativeGroupsQuery);
  return {
    isKnown: targets !== undefined && links !== undefined && groups !== undefined,
    targets: targets ?? none,
    links: links ?? none,
    groups: groups ?? none,
  };
}

const none: never[] = [];

/** The current options of an app (of all apps while the app is unknown), plus archived ones that are in `chosen`. */
export function optionsOfApp(
  options: AdsetOptions,
  appUuid: string | undefined,
  chosen: readonly string[] = [],
): AdsetOptions {
  const fits = (app: string) => !appUuid || app === appUuid;
  return {
    isKnown: options.isKnown,
    targets: currentOnly(options.targets, ...chosen).filter((target) => fits(target.app.uuid)),
    links: currentOnly(options.links, ...chosen).filter((link) => fits(link.app_id)),
    groups: currentOnly(options.groups, ...chosen).filter((group) =>
      creativesOf(group).every(({ app }) => fits(app.uuid)),
    ),
  };
}

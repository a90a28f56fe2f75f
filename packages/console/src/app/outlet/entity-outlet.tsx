import { type AnyRoute, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { entityId, isEntityId } from '../../lib/entity-id.ts';
import { NotFoundScreen } from '../../ui/layout/error-screens.tsx';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';

// Few addresses name an entity that the screen itself does not read.
const EntityLookup = lazyPart(() => import('./entity-lookup.tsx'), 'EntityLookup', { as: 'hint' });

/** The ids of entities in the address of a route: its search parameters declared as such, and `$uuid` of its path. */
function idsAt(route: AnyRoute, values: Record<string, unknown>): Record<string, string> {
  const shape: object = (route.options.validateSearch as { shape?: object } | undefined)?.shape ?? {};
  const names = Object.entries(shape).flatMap(([name, schema]) => (schema === entityId ? [name] : []));
  if (route.fullPath.includes('$uuid')) names.push('uuid');
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name] as string]])),
  );
}

/**
 * The screen at the address. Where the address names an entity that does not exist, in this company or at all, the page is not
 * found: for text that is no id at once, for what the screen filters by as soon as it is known. Screens of one entity read it
 * themselves.
 */
export function EntityOutlet({ area }: { area: 'company' | 'operator' }) {
  const { routesById } = useRouter();
  // As text, which is the same for every render of the same address.
  const address = useMatches({
    select: (matches) => {
      const { routeId, search, params } = matches.at(-1)!;
      const route = (routesById as Record<string, AnyRoute>)[routeId]!;
      return JSON.stringify([routeId, idsAt(route, { ...search, ...params })]);
    },
  });
  const [, ids] = JSON.parse(address) as [string, Record<string, string>];
  const [missing, setMissing] = useState<string>();
  if (missing === address || !Object.values(ids).every(isEntityId)) return <NotFoundScreen />;
  return (
    <>
      {Object.keys(ids).length > 0 && (
        <Suspense>
          <EntityLookup key={address} area={area} ids={ids} onMissing={() => setMissing(address)} />
        </Suspense>
      )}
      <Outlet />
    </>
  );
}

import type { ReactNode } from 'react';
import { LoadErrorScreen } from './error-screens.tsx';
import { PageLoader } from './page-loader.tsx';

interface EditScreenProps<Entity> {
  /** The loaded entity; undefined while it is loading. */
  entity: Entity | undefined;
  error: Error | null;
  /** The form of the entity. */
  children: (entity: Entity) => ReactNode;
}

/** Shows the form of an entity once it is loaded; an open form stays when a refetch fails. */
export function EditScreen<Entity>({ entity, error, children }: EditScreenProps<Entity>) {
  if (entity) return children(entity);
  return error ? <LoadErrorScreen error={error} /> : <PageLoader />;
}

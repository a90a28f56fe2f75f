import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { LoadErrorScreen } from './error-screens.tsx';

interface EditScreenProps<Entity> {
  entity: Loadable<Entity>;
  /** In place of the form while the entity loads; bars of a form by default. */
  skeleton?: ReactNode;
  /** The form of the entity. */
  children: (entity: Entity) => ReactNode;
}

/** Shows the form of an entity once it is loaded; an open form stays when a refetch fails. */
export function EditScreen<Entity>({ entity, skeleton, children }: EditScreenProps<Entity>) {
  if (isKnown(entity)) return children(entity.data);
  return entity.state === 'loading' ? (skeleton ?? <FormSkeleton />) : <LoadErrorScreen of={entity} />;
}

/** In place of a screen with a form while it loads: a heading and fields. */
export function FormSkeleton() {
  return (
    <Stack maw={720}>
      <Skeleton height={28} width={220} />
      <FieldsSkeleton />
    </Stack>
  );
}

/** In place of the fields of a form while it loads. */
export function FieldsSkeleton() {
  return (
    <Stack role="status" aria-label="Loading">
      {Array.from({ length: 4 }, (_, field) => (
        <Stack key={field} gap={6}>
          <Skeleton height={14} width={120} />
          <Skeleton height={36} />
        </Stack>
      ))}
    </Stack>
  );
}

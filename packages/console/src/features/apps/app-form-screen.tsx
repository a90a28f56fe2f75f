import { Box, Skeleton } from '@mantine/core';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useLoadable } from '../../lib/loadable.ts';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { appQuery } from '../../entities/apps/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { NotFoundScreen } from '../../ui/layout/error-screens.tsx';
import { AppForm } from './app-form.tsx';

const AppEventsSection = lazyPart(() => import('./app-events-section.tsx'), 'AppEventsSection');

const SourceIdentifiersSection = lazyPart(
  () => import('./source-identifiers-section.tsx'),
  'SourceIdentifiersSection',
);

const ConversionValuesSection = lazyPart(
  () => import('./conversion-values-section.tsx'),
  'ConversionValuesSection',
);

const PostbackCopiesSection = lazyPart(
  () => import('./postback-copies-section.tsx'),
  'PostbackCopiesSection',
);

/** /add-app */
export function AddAppScreen() {
  return <AppForm />;
}

/** /edit-app?uuid= */
export function EditAppScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const entity = useLoadable({ ...appQuery(uuid ?? ''), enabled: Boolean(uuid) });
  const [hasUnsavedEvents, setHasUnsavedEvents] = useState(false);
  const [hasUnsavedValues, setHasUnsavedValues] = useState(false);
  const parts = [hasUnsavedEvents && 'in-app events', hasUnsavedValues && 'conversion values'];
  const unsavedParts = parts.filter((part) => part !== false);
  const unsaved = unsavedParts.length > 0 ? screenMessages.appSavedWithout(unsavedParts) : null;
  if (!uuid) return <NotFoundScreen />;
  return (
    <EditScreen entity={entity}>
      {(app) => (
        <>
          <AppForm key={app.uuid} app={app} unsaved={unsaved} />
          <Box maw={760} mt="md">
            <Suspense fallback={<Skeleton height={280} />}>
              <AppEventsSection key={app.uuid} uuid={app.uuid} onDirtyChange={setHasUnsavedEvents} />
            </Suspense>
          </Box>
          {app.os === 'ios' && (
            <Box maw={760} mt="md">
              <Suspense fallback={<Skeleton height={160} />}>
                <SourceIdentifiersSection key={app.uuid} uuid={app.uuid} />
              </Suspense>
            </Box>
          )}
          {app.os === 'ios' && (
            <Box maw={760} mt="md">
              <Suspense fallback={<Skeleton height={280} />}>
                <ConversionValuesSection key={app.uuid} uuid={app.uuid} onDirtyChange={setHasUnsavedValues} />
              </Suspense>
            </Box>
          )}
          {app.os === 'ios' && (
            <Box maw={760} mt="md">
              <Suspense fallback={<Skeleton height={160} />}>
                <PostbackCopiesSection key={app.uuid} uuid={app.uuid} />
              </Suspense>
            </Box>
          )}
        </>
      )}
    </EditScreen>
  );
}

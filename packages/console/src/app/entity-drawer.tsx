import { Drawer } from '@mantine/core';
import { type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../ui/layout/lazy-part.tsx';
import type { DrawerRequest } from '../ui/form/drawer-requests.ts';
import { PageLoader } from '../ui/layout/page-loader.tsx';

const AppDrawer = lazyPart(() => import('../features/apps/app-drawer.tsx'), 'AppDrawer');
const CreativesDrawer = lazyPart(
  () => import('../features/creatives/upload/creatives-drawer.tsx'),
  'CreativesDrawer',
);
const GroupForm = lazyPart(() => import('../features/creative-groups/group-form.tsx'), 'GroupForm');
const TargetForm = lazyPart(() => import('../features/targets/target-form.tsx'), 'TargetForm');
const TrackingLinkForm = lazyPart(
  () => import('../features/tracking-links/tracking-link-form.tsx'),
  'TrackingLinkForm',
);
const TopUpForm = lazyPart(() => import('../features/finances/top-up-form.tsx'), 'TopUpForm');

interface EntityDrawerProps {
  request: DrawerRequest;
  opened: boolean;
  onSaved: (uuid: string) => void;
  onClose: () => void;
}

/** Drawer with the form of another feature. Unsaved input is stored as that form's draft. */
export function EntityDrawer({ request, opened, onSaved, onClose }: EntityDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={titleOf(request)}
      position="right"
      size="min(100%, 760px)"
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      {opened && (
        <Suspense fallback={<PageLoader />}>
          <FocusFirstField>
            <DrawerContent request={request} onSaved={onSaved} onCancel={onClose} />
          </FocusFirstField>
        </Suspense>
      )}
    </Drawer>
  );
}

/** Focuses the first field once the form is loaded; until then the focus trap has only the close button. */
function FocusFirstField({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // A dropdown would open at the focus, over the fields below it.
    const field = box.current?.querySelector<HTMLElement>(
      'input:not([type="file"], [type="hidden"], [role="combobox"]), textarea',
    );
    // The focus trap looks for this attribute, later than this effect if the form was loaded before.
    field?.setAttribute('data-autofocus', 'true');
    field?.focus();
  }, []);
  return <div ref={box}>{children}</div>;
}

function titleOf({ kind, appUuid }: DrawerRequest): string {
  if (kind === 'app') return appUuid ? 'Edit app' : 'Add your app';
  return {
    creatives: 'Upload creatives',
    'creative-group': 'New creative group',
    target: 'New target',
    'tracking-link': 'New tracking link',
    'top-up': 'Top up the balance',
  }[kind];
}

interface DrawerContentProps {
  request: DrawerRequest;
  onSaved: (uuid: string) => void;
  onCancel: () => void;
}

function DrawerContent({ request: { kind, appUuid, files }, onSaved, onCancel }: DrawerContentProps) {
  const drawer = { appUuid, onCancel, onSaved: ({ uuid }: { uuid: string }) => onSaved(uuid) };
  switch (kind) {
    case 'app':
      return <AppDrawer drawer={drawer} />;
    case 'creatives':
      return <CreativesDrawer drawer={drawer} files={files ?? []} />;
    case 'creative-group':
      return <GroupForm drawer={drawer} />;
    case 'target':
      return <TargetForm drawer={drawer} />;
    case 'tracking-link':
      return <TrackingLinkForm drawer={drawer} />;
    case 'top-up':
      return <TopUpForm onSent={onCancel} onCancel={onCancel} />;
  }
}

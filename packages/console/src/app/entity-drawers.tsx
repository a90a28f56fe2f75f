import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../ui/layout/lazy-part.tsx';
import { DrawerContext, DrawerOpenContext, type DrawerRequest } from '../ui/form/drawer-requests.ts';
import { focusField } from '../ui/form/focus-field.ts';

const loadDrawer = () => import('./entity-drawer.tsx');
const EntityDrawer = lazyPart(loadDrawer, 'EntityDrawer', { as: 'dialog' });

/**
 * Lets the forms inside open drawers, in which forms of other features create the entities that they refer to. The focus
 * moves into the drawer, and returns to the field that got the saved entity, or to the element that had it before.
 */
function EntityDrawers({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<DrawerRequest>();
  const [opened, setOpened] = useState(false);
  const shown = useRef<DrawerRequest>(undefined);
  const returnTo = useRef<{ opener: Element | null; field?: string | undefined }>(undefined);
  // The empty drawer is loaded early, so that it opens at once; the forms load when they are opened.
  useEffect(() => void loadDrawer().catch(() => {}), []);
  const open = useCallback((next: DrawerRequest) => {
    shown.current = next;
    returnTo.current = { opener: document.activeElement };
    setRequest(next);
    setOpened(true);
  }, []);
  const close = () => {
    shown.current = undefined;
    setOpened(false);
  };
  useEffect(() => {
    if (opened || !returnTo.current) return;
    const { opener, field } = returnTo.current;
    if (field !== undefined && focusField(field)) return;
    if (opener instanceof HTMLElement) opener.focus();
  }, [opened]);
  const save = (uuid: string) => {
    request?.onSaved?.(uuid);
    // An upload may end after its drawer was closed, while another one is open.
    if (shown.current !== request) return;
    returnTo.current = { ...returnTo.current!, field: request?.field };
    close();
  };
  return (
    <DrawerContext value={open}>
      <DrawerOpenContext value={opened}>{children}</DrawerOpenContext>
      {request && (
        <Suspense>
          <EntityDrawer request={request} opened={opened} onSaved={save} onClose={close} />
        </Suspense>
      )}
    </DrawerContext>
  );
}

/** A screen with {@link EntityDrawers} around it. */
export const withDrawers = (Screen: () => ReactNode) =>
  function ScreenWithDrawers() {
    return (
      <EntityDrawers>
        <Screen />
      </EntityDrawers>
    );
  };

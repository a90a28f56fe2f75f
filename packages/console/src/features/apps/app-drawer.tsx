import type { App } from '@bidwell/contract/apps/schema';
import { useLoadable } from '../../lib/loadable.ts';
import { appQuery } from '../../entities/apps/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import type { FormInDrawer } from '../../ui/form/form-in-drawer.tsx';
import { AppForm } from './app-form.tsx';

/** The form of an app in a drawer: of the drawer's app, or of a new one. */
export function AppDrawer({ drawer }: { drawer: FormInDrawer<App> }) {
  const { appUuid } = drawer;
  const entity = useLoadable({ ...appQuery(appUuid ?? ''), enabled: Boolean(appUuid) });
  if (!appUuid) return <AppForm drawer={drawer} />;
  return (
    <EditScreen entity={entity}>{(app) => <AppForm key={app.uuid} app={app} drawer={drawer} />}</EditScreen>
  );
}

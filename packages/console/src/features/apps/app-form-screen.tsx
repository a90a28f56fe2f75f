import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { appQuery } from '../../entities/apps/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { LoadErrorScreen } from '../../ui/layout/error-screens.tsx';
import { AppForm } from './app-form.tsx';

/** /add-app */
export function AddAppScreen() {
  return <AppForm />;
}

/** /edit-app?uuid= */
export function EditAppScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data, error } = useQuery({ ...appQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <LoadErrorScreen error={null} />;
  return (
    <EditScreen entity={data} error={error}>
      {(app) => <AppForm key={app.uuid} app={app} />}
    </EditScreen>
  );
}

import { useSearch } from '@tanstack/react-router';
import { useLoadable } from '../../lib/loadable.ts';
import { targetQuery } from '../../entities/targets/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { TargetForm } from './target-form.tsx';

/** /targets/edit: edits the target of `uuid`, or creates one without it; `value` is added to the list `field`. */
export function TargetEditScreen() {
  const { uuid, field, value } = useSearch({ strict: false }) as {
    uuid?: string;
    field?: string;
    value?: string;
  };
  const entity = useLoadable({ ...targetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TargetForm key="new" />;
  return (
    <EditScreen entity={entity}>
      {(target) => <TargetForm key={target.uuid} target={target} field={field} value={value} />}
    </EditScreen>
  );
}

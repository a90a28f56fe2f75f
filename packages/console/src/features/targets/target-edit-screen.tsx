import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { targetQuery } from '../../lib/queries/targets.ts';
import { EditScreen } from '../../ui/edit-screen.tsx';
import { TargetForm } from './target-form.tsx';

/** /targets/edit: edits the target of `uuid`, or creates one without it. */
export function TargetEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data, error } = useQuery({ ...targetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TargetForm key="new" />;
  return (
    <EditScreen entity={data} error={error}>
      {(target) => <TargetForm key={target.uuid} target={target} />}
    </EditScreen>
  );
}

import { useSearch } from '@tanstack/react-router';
import { useLoadable } from '../../lib/loadable.ts';
import { creativeGroupQuery } from '../../entities/creative-groups/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { GroupForm } from './group-form.tsx';

/** /creative-groups/edit: edits the group of `uuid`, or creates one without it. */
export function CreativeGroupEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const entity = useLoadable({ ...creativeGroupQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <GroupForm key="new" />;
  return <EditScreen entity={entity}>{(group) => <GroupForm key={group.uuid} group={group} />}</EditScreen>;
}

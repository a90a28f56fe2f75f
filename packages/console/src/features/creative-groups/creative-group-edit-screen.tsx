import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { creativeGroupQuery } from '../../lib/queries/creative-groups.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { GroupForm } from './group-form.tsx';

/** /creative-groups/edit: with `uuid` edits a group, without it makes one. */
export function CreativeGroupEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: group, error } = useQuery({ ...creativeGroupQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <GroupForm key="new" />;
  // A form that is open stays, whatever a later fetch answers.
  if (error && !group) return <LoadErrorScreen error={error} />;
  return group ? <GroupForm key={group.uuid} group={group} /> : <PageLoader />;
}

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { creativeGroupQuery } from '../../lib/queries/creative-groups.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { GroupForm } from './group-form.tsx';

/** /creative-groups/edit: edits the group of `uuid`, or creates one without it. */
export function CreativeGroupEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: group, error } = useQuery({ ...creativeGroupQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <GroupForm key="new" />;
  // An open form stays when a refetch fails.
  if (error && !group) return <LoadErrorScreen error={error} />;
  return group ? <GroupForm key={group.uuid} group={group} /> : <PageLoader />;
}

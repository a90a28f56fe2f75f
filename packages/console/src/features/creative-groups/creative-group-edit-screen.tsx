import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { creativeGroupQuery } from '../../lib/queries/creative-groups.ts';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { GroupForm } from './group-form.tsx';

/** /creative-groups/edit: with `uuid` edits a group, without it makes one. */
export function CreativeGroupEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: group, isError } = useQuery({ ...creativeGroupQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <GroupForm key="new" />;
  if (isError) return <NotFoundScreen />;
  return group ? <GroupForm key={group.uuid} group={group} /> : <PageLoader />;
}

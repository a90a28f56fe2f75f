import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { targetQuery } from '../../lib/queries/targets.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { TargetForm } from './target-form.tsx';

/** /targets/edit: edits the target of `uuid`, or creates one without it. */
export function TargetEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: target, error } = useQuery({ ...targetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TargetForm key="new" />;
  // An open form stays when a refetch fails.
  if (error && !target) return <LoadErrorScreen error={error} />;
  return target ? <TargetForm key={target.uuid} target={target} /> : <PageLoader />;
}

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { trackingLinkQuery } from '../../lib/queries/tracking-links.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { TrackingLinkForm } from './tracking-link-form.tsx';

/** /tracking-links/edit: edits the link of `uuid`, or creates one without it. */
export function TrackingLinkEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: link, error } = useQuery({ ...trackingLinkQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TrackingLinkForm key="new" />;
  // An open form stays when a refetch fails.
  if (error && !link) return <LoadErrorScreen error={error} />;
  return link ? <TrackingLinkForm key={link.uuid} link={link} /> : <PageLoader />;
}

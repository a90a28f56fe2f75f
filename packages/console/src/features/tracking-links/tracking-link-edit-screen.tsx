import { useSearch } from '@tanstack/react-router';
import { useLoadable } from '../../lib/loadable.ts';
import { trackingLinkQuery } from '../../entities/tracking-links/queries.ts';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { TrackingLinkForm } from './tracking-link-form.tsx';

/** /tracking-links/edit: edits the link of `uuid`, or creates one without it. */
export function TrackingLinkEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const entity = useLoadable({ ...trackingLinkQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TrackingLinkForm key="new" />;
  return (
    <EditScreen entity={entity}>{(link) => <TrackingLinkForm key={link.uuid} link={link} />}</EditScreen>
  );
}

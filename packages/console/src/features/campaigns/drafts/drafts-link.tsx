import { useQuery } from '@tanstack/react-query';
import { draftsQuery } from '../../../entities/campaigns/draft-queries.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';

/** Link to the drafts of campaigns, where there are any. */
export function DraftsLink() {
  const { data: drafts } = useQuery(draftsQuery);
  if (!drafts || drafts.length === 0) return null;
  return (
    <ButtonLink to="/campaigns/drafts" variant="default">
      Drafts ({drafts.length})
    </ButtonLink>
  );
}

import { dataOrUnknown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { draftsQuery } from '../../../entities/campaigns/draft-queries.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';

/** Link to the drafts of campaigns, where there are any, or where that could not be loaded. */
export function DraftsLink() {
  const count = dataOrUnknown(mapped(useLoadable(draftsQuery), ({ length }) => length));
  if (count === 'loading' || count === 0) return null;
  return (
    <ButtonLink to="/campaigns/drafts" variant="default">
      Drafts{count !== 'failed' && ` (${count})`}
    </ButtonLink>
  );
}

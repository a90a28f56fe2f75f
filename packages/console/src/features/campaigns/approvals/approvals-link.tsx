import { dataOrUnknown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { approvalsQuery } from '../../../entities/campaigns/approval-queries.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';

/** Link to requests for approval, where there are open ones, or where that could not be loaded. */
export function ApprovalsLink() {
  const open = dataOrUnknown(
    mapped(useLoadable(approvalsQuery), (known) => known.filter(({ state }) => state === 'open').length),
  );
  if (open === 'loading' || open === 0) return null;
  return (
    <ButtonLink to="/campaigns/approvals" variant="default">
      Approvals{open !== 'failed' && ` (${open})`}
    </ButtonLink>
  );
}

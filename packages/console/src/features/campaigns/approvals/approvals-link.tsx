import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../../entities/campaigns/approval-queries.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';

/** Link to requests for approval, where there are open ones. */
export function ApprovalsLink() {
  const { data: approvals } = useQuery(approvalsQuery);
  const open = approvals?.filter(({ state }) => state === 'open').length ?? 0;
  if (open === 0) return null;
  return (
    <ButtonLink to="/campaigns/approvals" variant="default">
      Approvals ({open})
    </ButtonLink>
  );
}

import { IconPlus } from '@tabler/icons-react';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';

/** Link to the form of a new campaign, for users who may create one. */
export function NewCampaign() {
  return (
    <IfMay permission="campaign.write">
      <ButtonLink to="/campaigns/create" leftSection={<IconPlus size={16} />}>
        New Campaign
      </ButtonLink>
    </IfMay>
  );
}

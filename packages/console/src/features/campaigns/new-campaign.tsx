import { IconPlus } from '@tabler/icons-react';
import { ButtonLink } from '../../ui/layout/links.tsx';

/** Link to the form of a new campaign. */
export function NewCampaign() {
  return (
    <ButtonLink to="/campaigns/create" leftSection={<IconPlus size={16} />}>
      New Campaign
    </ButtonLink>
  );
}

import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { IconPlus } from '@tabler/icons-react';
import { type Loadable, mapped } from '../../lib/loadable.ts';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { SearchSelect, type SearchSelectProps } from '../../ui/form/picker/search-select.tsx';

type CampaignSelectProps = Partial<SearchSelectProps> &
  Pick<SearchSelectProps, 'value' | 'onChange'> & {
    campaigns: Loadable<readonly { uuid: string; name: string; app?: { name: string } }[]>;
  };

/** Campaign dropdown with a search by name or uuid and a link that creates a campaign. */
export function CampaignSelect({ campaigns, ...props }: CampaignSelectProps) {
  return (
    <SearchSelect
      label="Campaign"
      placeholder="All campaigns"
      clearable
      emptyText={campaignMessages.emptyCampaigns}
      options={mapped(campaigns, (known) =>
        known.map(({ uuid, name, app }) => ({ value: uuid, label: name, detail: app?.name })),
      )}
      footer={
        <ButtonLink
          to="/campaigns/create"
          variant="light"
          size="compact-sm"
          fullWidth
          leftSection={<IconPlus size={14} />}
        >
          New Campaign
        </ButtonLink>
      }
      {...props}
    />
  );
}

import { messages } from '@bidwell/contract/messages';
import { IconPlus } from '@tabler/icons-react';
import { ButtonLink } from './links.tsx';
import type { SearchSelectProps } from './search-select.tsx';
import { SearchSelect } from './search-select.tsx';

type CampaignSelectProps = Partial<SearchSelectProps> &
  Pick<SearchSelectProps, 'value' | 'onChange'> & {
    campaigns: readonly { uuid: string; name: string; app?: { name: string } }[];
  };

/** The campaign dropdown: search by name or uuid, and the way to a new one (specification, section 2). */
export function CampaignSelect({ campaigns, ...props }: CampaignSelectProps) {
  return (
    <SearchSelect
      label="Campaign"
      placeholder="All campaigns"
      clearable
      emptyText={messages.emptyCampaigns}
      options={campaigns.map(({ uuid, name, app }) => ({ value: uuid, label: name, detail: app?.name }))}
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

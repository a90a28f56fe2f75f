import { messages } from '@bidwell/contract/text/messages';
import { SearchSelect, type SearchSelectProps } from '../../ui/form/search-select.tsx';

type AdsetSelectProps = Partial<SearchSelectProps> &
  Pick<SearchSelectProps, 'value' | 'onChange'> & {
    adsets: readonly { uuid: string; name: string; detail?: string }[];
  };

/** Ad set dropdown with a search by name or uuid. */
export function AdsetSelect({ adsets, ...props }: AdsetSelectProps) {
  return (
    <SearchSelect
      label="Ad set"
      placeholder="Choose an ad set"
      emptyText={messages.emptyAdsets}
      options={adsets.map(({ uuid, name, detail }) => ({ value: uuid, label: name, detail }))}
      {...props}
    />
  );
}

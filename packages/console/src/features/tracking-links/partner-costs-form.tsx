import {
  type PartnerCosts,
  PartnerCostsInput,
  partnerCostsVersion,
} from '@bidwell/contract/measurement/partner-costs';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { partnerCostsQuery, updatePartnerCosts } from '../../entities/measurement/partner-queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

interface CostValues extends Record<string, unknown> {
  is_enabled: boolean;
  media_source: string;
  /** The new one; empty for the present one. */
  token: string;
}

const valuesOf = ({ is_enabled, media_source }: PartnerCosts): CostValues => ({
  is_enabled,
  media_source,
  token: '',
});
const inputOf = ({ token, ...values }: CostValues) => ({ ...values, ...(token.trim() !== '' && { token }) });

/** Form of how costs are sent to a partner, which follows what someone else saves. */
export function PartnerCostsForm({ costs, onDone }: { costs: PartnerCosts; onDone: () => void }) {
  const { mmp, has_token: hasToken } = costs;
  const { form, busy, submit, changedElsewhere } = useSavedForm<CostValues, void, PartnerCosts>({
    initialValues: valuesOf(costs),
    validate: (values) => schemaResolver(PartnerCostsInput, { sync: true })(inputOf(values)),
    entity: {
      saved: costs,
      valuesOf,
      version: partnerCostsVersion,
      reload: async () => (await readAgain(partnerCostsQuery)).find((each) => each.mmp === mmp) ?? costs,
      labelOf: (field) => (field === 'media_source' ? 'Media source' : 'Send costs'),
    },
    send: async (values, version) =>
      updatePartnerCosts(mmp, PartnerCostsInput.parse(inputOf(values)), version),
    done: consoleMessages.saved('Costs'),
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <Checkbox
        label="Send costs every four hours"
        {...form.getInputProps('is_enabled', { type: 'checkbox' })}
      />
      <TextInput
        label="Media source"
        description="The name of this network at the partner, as in the parameter pid of your links"
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('media_source')}
      />
      <PasswordInput
        label="API token"
        description="The V2 token of the ad network account. It is stored encrypted and not shown again."
        autoComplete="off"
        placeholder={hasToken ? 'Set' : 'None'}
        {...form.getInputProps('token')}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

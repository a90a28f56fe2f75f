import { type Network, NetworkId, NetworkInput, networkVersion } from '@bidwell/contract/skadnetwork/schema';
import { operatorSigningTexts } from '@bidwell/contract/text/skadnetwork-text';
import { Checkbox, NumberInput, TextInput, Textarea } from '@mantine/core';
import { isOutdated } from '../../lib/api/change-as-shown.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { saveNetwork, skadnetworkQuery } from '../../entities/skadnetwork/queries.ts';
import { errorsOf } from '../../lib/field-errors.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

interface Values extends Record<string, unknown> {
  id: string;
  iab_number: number | string;
  private_key: string;
  development_postbacks: boolean;
}

const valuesOf = (network: Network | null): Values => ({
  id: network?.id ?? '',
  iab_number: network?.iab_number ?? '',
  private_key: '',
  development_postbacks: network?.development_postbacks ?? false,
});

/** Asks for an ad network's id, key and number; `network` is the one to change, null for a new one. */
export function NetworkForm({ network, onDone }: { network: Network | null; onDone: () => void }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<Values, Network, Network>({
    initialValues: valuesOf(network),
    entity: network
      ? {
          saved: network,
          valuesOf,
          version: networkVersion,
          reload: async () =>
            (await readAgain(skadnetworkQuery)).networks.find(({ id }) => id === network.id) ?? network,
        }
      : undefined,
    validate: (values) => ({ ...errorsOf(NetworkId, values), ...errorsOf(NetworkInput, inputOf(values)) }),
    send: (values, version) =>
      saveNetwork(NetworkId.parse(values).id, inputOf(values), network ? version : null),
    onFailure: (error): boolean => {
      const isTaken = network === null && isOutdated(error);
      if (isTaken) form.setFieldError('id', 'Another network has this id');
      return isTaken;
    },
    done: ({ id }) =>
      network ? `${id} is saved` : `${id} is added. Its public key must be the one that Apple has.`,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      {!network && (
        <TextInput
          label="Id"
          description="As Apple gave it, such as abcd1234ef.skadnetwork. It works for AdAttributionKit too."
          {...form.getInputProps('id')}
        />
      )}
      <Textarea
        label="Private key"
        description={
          network === null
            ? operatorSigningTexts.newKey
            : network.has_private_key
              ? 'Stored, and never shown. Fill in only to replace it.'
              : 'In PEM, on the curve P-256. The stored key can no longer be read: enter it again.'
        }
        placeholder="-----BEGIN EC PRIVATE KEY-----"
        autosize
        minRows={3}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('private_key')}
      />
      <NumberInput
        label="Number in the IAB’s list"
        description="Some exchanges use it to name the network. Leave it empty if there is none."
        min={1}
        allowDecimal={false}
        {...form.getInputProps('iab_number')}
      />
      <Checkbox
        label="Verify postbacks of development devices"
        description={operatorSigningTexts.development}
        {...form.getInputProps('development_postbacks', { type: 'checkbox' })}
      />
      <FormButtons action={network ? 'Save' : 'Add'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function inputOf({ iab_number: number, private_key: key, development_postbacks }: Values) {
  return {
    iab_number: number === '' ? null : Number(number),
    development_postbacks,
    ...(key.trim() !== '' && { private_key: key }),
  };
}

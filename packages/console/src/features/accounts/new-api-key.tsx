import { ApiTokenInput, KEY_EXPIRY_DAYS, type NewApiToken } from '@bidwell/contract/accounts/api-token';
import { type ApiScope, isReadingScope } from '@bidwell/contract/accounts/scope';
import { limits } from '@bidwell/contract/lib/limits';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Checkbox, Select, Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { createApiToken } from '../../entities/accounts/api-token-queries.ts';
import { scopeOptions } from '../../entities/accounts/scope-text.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { CountedInput } from '../../ui/form/form-fields.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';

const NEVER = 'never';
const expiryOptions = [
  ...[7, 30, KEY_EXPIRY_DAYS.default, 180, KEY_EXPIRY_DAYS.max].map((days) => ({
    value: String(days),
    label: `In ${days} days`,
  })),
  { value: NEVER, label: 'Never' },
];

/** Asks for name, scopes and end of a key, then shows the secret, which is never shown again. */
export function NewApiKey({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewApiToken>();
  const { form, busy, submit } = useSavedForm({
    initialValues: {
      name: '',
      scopes: ['read'] as ApiScope[],
      expires_in_days: KEY_EXPIRY_DAYS.default as number | null,
    },
    validate: schemaResolver(ApiTokenInput, { sync: true }),
    send: createApiToken,
    onSaved: setMade,
  });
  if (made) return <Secret token={made.token} onDone={onDone} />;
  const { scopes, expires_in_days: days } = form.getValues();
  const isReading = scopes.every(isReadingScope);
  return (
    <DialogForm onSubmit={submit}>
      <CountedInput
        label="Name"
        description="Where it is used, so that you know which one to revoke"
        data-autofocus
        withAsterisk
        maxLength={limits.titleMax}
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Scopes" withAsterisk {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {scopeOptions.map((option) => (
            <Checkbox key={option.value} size="sm" {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires"
        description={isReading ? undefined : screenMessages.writingKeyExpires}
        data={expiryOptions.map((option) => ({
          ...option,
          disabled: option.value === NEVER && !isReading,
        }))}
        allowDeselect={false}
        error={form.errors['expires_in_days']}
        value={days === null ? NEVER : String(days)}
        onChange={(value) => form.setFieldValue('expires_in_days', value === NEVER ? null : Number(value))}
      />
      <FormButtons action="Create key" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function Secret({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <ShownOnce secret={token} testId="api-key" onDone={onDone}>
      Copy the key now: it is not shown again.
    </ShownOnce>
  );
}

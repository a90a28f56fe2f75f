import { Alert, Button, Group, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ClipboardEvent, ReactNode } from 'react';
import { missingHint } from './store-link-values.ts';
import type { AppValues } from './app-values.ts';
import { useStoreLink } from './use-store-link.ts';

const STATE_ID = 'store-link-state';

interface StoreLinkFieldProps {
  form: UseFormReturnType<AppValues>;
  /** The link of the saved app; undefined for a new one, whose field is focused. */
  saved: string | undefined;
}

/** The store link of an app; pasting or leaving it fills the other fields from the store page. */
export function StoreLinkField({ form, saved }: StoreLinkFieldProps) {
  const link = useStoreLink(form, saved);
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (form.getValues().store_link !== '') return;
    event.preventDefault();
    form.setFieldValue('store_link', pasted.trim());
    void link.read(pasted);
  };
  const hint = link.found === null ? undefined : missingHint(form.values, link.found === 'page');
  return (
    <>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label="App store link"
          placeholder="https://apps.apple.com/… or https://play.google.com/…"
          withAsterisk
          autoFocus={saved === undefined}
          style={{ flex: 1 }}
          {...form.getInputProps('store_link')}
          error={Boolean(form.errors['store_link'])}
          aria-describedby={STATE_ID}
          onPaste={paste}
          onBlur={(event) => void link.read(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={link.reading}
          onClick={() => void link.read(form.getValues().store_link)}
        >
          Fill in
        </Button>
      </Group>
      <LinkState error={form.errors['store_link']} text={link.reading ? 'Reading the store’s page…' : hint} />
    </>
  );
}

interface LinkStateProps {
  error: ReactNode;
  text: string | undefined;
}

/** State of reading the store link, in an element of its own so that the button next to the field does not move. */
function LinkState({ error, text }: LinkStateProps) {
  return (
    <div id={STATE_ID} aria-live="polite">
      {error ? (
        <Input.Error>{error}</Input.Error>
      ) : (
        text && (
          <Alert variant="light" color="accent" p="xs" icon={<IconInfoCircle size={16} />}>
            {text}
          </Alert>
        )
      )}
    </div>
  );
}

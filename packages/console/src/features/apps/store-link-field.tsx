import { domainOfBundle } from '@bidwell/contract/apps/advertiser-domain';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Group, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { type ClipboardEvent, type ReactNode, useRef, useState } from 'react';
import { parseLink } from '../../entities/apps/queries.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { editedFields, fieldsToFill, filledFields, isPageRead, missingHint } from './store-link-values.ts';
import type { AppValues } from './app-values.ts';

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
        <SecondaryButton loading={link.reading} onClick={() => void link.read(form.getValues().store_link)}>
          Fill in
        </SecondaryButton>
      </Group>
      <LinkState error={form.errors['store_link']} text={link.reading ? 'Reading the store’s page…' : hint} />
    </>
  );
}

/** State of reading the store link, in an element of its own so that the button next to the field does not move. */
function LinkState({ error, text }: { error: ReactNode; text: string | undefined }) {
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

/** Fills the form from a store link: at once from the link itself, then from the store page. */
function useStoreLink(form: UseFormReturnType<AppValues>, linkBefore: string | undefined) {
  const [reading, setReading] = useState(false);
  const [found, setFound] = useState<'page' | 'link' | null>(null);
  const lastRead = useRef(linkBefore);
  const filled = useRef<Partial<AppValues>>({});

  const fill = (values: Partial<AppValues>): void => {
    filled.current = { ...filled.current, ...values };
    form.setValues(values);
  };
  /** Empties the fields that an earlier link filled in and no one has changed: they are about another app. */
  const clearFilled = (): void => {
    form.setValues(filledFields(form.getValues(), filled.current));
    filled.current = {};
  };

  const read = async (text: string): Promise<void> => {
    const link = text.trim();
    if (link === '' || link === lastRead.current) return;
    // The store may take seconds to respond, or never respond.
    const fromLink = parseStoreLink(link);
    const domain = fromLink && domainOfBundle(fromLink.bundleId);
    const guessed = fromLink && {
      bundle_id: fromLink.bundleId,
      name: fromLink.name,
      advertiser_domain: domain,
    };
    if (fromLink) {
      lastRead.current = fromLink.canonical;
      clearFilled();
      const { name, advertiser_domain: typedDomain } = form.getValues();
      fill({
        store_link: fromLink.canonical,
        os: fromLink.os,
        bundle_id: fromLink.bundleId,
        ...(name === '' && fromLink.name && { name: fromLink.name }),
        ...(typedDomain === '' && domain && { advertiser_domain: domain }),
      });
      form.clearErrors();
    }
    setReading(true);
    const requested = form.getValues();
    try {
      const page = await parseLink(link);
      const now = form.getValues();
      if (fromLink && now.store_link !== page.store_link) return;
      const edited = editedFields(requested, now);
      if (!fromLink) clearFilled();
      const { store_link, os } = page;
      const advertiser_domain = page.advertiser_domain ?? domainOfBundle(page.bundle_id ?? '');
      const free = fieldsToFill(form.getValues(), { ...page, advertiser_domain }, guessed, edited);
      fill({ ...free, store_link, os });
      setFound(isPageRead(page) ? 'page' : 'link');
    } catch (error) {
      if (fromLink) return;
      form.setFieldError('store_link', failureText(error, screenMessages.storeLinkUnreadable));
    } finally {
      setReading(false);
    }
  };
  return { reading, found, read };
}

import { domainOfBundle } from '@bidwell/contract/apps/advertiser-domain';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { parseLink } from '../../entities/apps/queries.ts';
import { AppValues } from './app-values.ts';
import { editedFields, fieldsToFill, filledFields, isPageRead } from './store-link-values.ts';

/** Fills the form from a store link: at once from the link itself, then from the store page. */
export function useStoreLink(form: UseFormReturnType<AppValues>, linkBefore: string | undefined) {
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
      fill(AppValues.partial().parse({ ...free, store_link, os }));
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

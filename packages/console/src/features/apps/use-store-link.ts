import { domainOfBundle } from '@bidwell/contract/advertiser-domain';
import type { ParsedStoreLink } from '@bidwell/contract/app';
import { parseStoreLink } from '@bidwell/contract/store-link';
import { screenMessages } from '@bidwell/contract/screen-messages';
import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { parseLink } from '../../lib/queries/apps.ts';
import { AppValues } from './app-values.ts';
import { fieldsToFill } from './store-link-values.ts';

/** Fills the form from a store link: at once from the link itself, then from the store page. */
export function useStoreLink(form: UseFormReturnType<AppValues>, linkBefore: string | undefined) {
  const [reading, setReading] = useState(false);
  const [parsed, setParsed] = useState<ParsedStoreLink>();
  const lastRead = useRef(linkBefore);

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
      const name = form.getValues().name === '' && fromLink.name ? { name: fromLink.name } : {};
      const isOpen = form.getValues().advertiser_domain === '' && domain;
      form.setValues({
        store_link: fromLink.canonical,
        os: fromLink.os,
        bundle_id: fromLink.bundleId,
        ...name,
        ...(isOpen && { advertiser_domain: domain }),
      });
      form.clearErrors();
    }
    setReading(true);
    try {
      const page = await parseLink(link);
      const current = form.getValues();
      if (fromLink && current.store_link !== page.store_link) return;
      const { store_link, os } = page;
      const fromPage = domainOfBundle(page.bundle_id ?? '');
      form.setValues(AppValues.partial().parse({ ...fieldsToFill(current, page, guessed), store_link, os }));
      if (form.getValues().advertiser_domain === '' && fromPage)
        form.setFieldValue('advertiser_domain', fromPage);
      setParsed(page);
    } catch (error) {
      if (fromLink) return;
      form.setFieldError(
        'store_link',
        error instanceof Error ? error.message : screenMessages.storeLinkUnreadable,
      );
    } finally {
      setReading(false);
    }
  };
  return { reading, parsed, read };
}

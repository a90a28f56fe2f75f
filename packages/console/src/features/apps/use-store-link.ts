import type { ParsedStoreLink } from '@bidwell/contract/app';
import { parseStoreLink } from '@bidwell/contract/store-link';
import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { parseLink } from '../../lib/queries/apps.ts';
import { AppValues } from './app-values.ts';
import { filledIn } from './store-link-values.ts';

/** Fills the form from a store link: at once from the link itself, then from the store page. */
export function useStoreLink(form: UseFormReturnType<AppValues>, linkBefore: string | undefined) {
  const [reading, setReading] = useState(false);
  const [parsed, setParsed] = useState<ParsedStoreLink>();
  const readLast = useRef(linkBefore);

  const read = async (text: string): Promise<void> => {
    const link = text.trim();
    if (link === '' || link === readLast.current) return;
    // The store may take seconds to respond, or never respond.
    const own = parseStoreLink(link);
    const guessed = own && { bundle_id: own.bundleId, name: own.name };
    if (own) {
      readLast.current = own.canonical;
      const name = form.getValues().name === '' && own.name ? { name: own.name } : {};
      form.setValues({ store_link: own.canonical, os: own.os, bundle_id: own.bundleId, ...name });
      form.clearErrors();
    }
    setReading(true);
    try {
      const answer = await parseLink(link);
      const now = form.getValues();
      if (own && now.store_link !== answer.store_link) return;
      const { store_link, os } = answer;
      form.setValues(AppValues.partial().parse({ ...filledIn(now, answer, guessed), store_link, os }));
      setParsed(answer);
    } catch (error) {
      if (own) return;
      form.setFieldError('store_link', error instanceof Error ? error.message : 'This link cannot be read');
    } finally {
      setReading(false);
    }
  };
  return { reading, parsed, read };
}

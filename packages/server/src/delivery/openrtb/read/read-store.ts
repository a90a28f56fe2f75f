import { normaliseBundle } from '@bidwell/contract/adsets/bundles';
import type { Os } from '@bidwell/contract/apps/schema';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { memoizeText } from '../../../platform/memoize-text.ts';
import { type JsonObject, textOf } from '../json.ts';

/** The app that a store URL leads to; '' for text that is no store URL. */
interface Store {
  /** Package name or numeric store id, lower case. */
  id: string;
  os: Os | '';
}

/** Memoised, because parsing takes microseconds. */
export const storeIn = memoizeText((address): Store => {
  const link = parseStoreLink(address);
  return link ? { id: normaliseBundle(link.bundleId), os: link.os } : { id: '', os: '' };
});

/** The operating system of the store of a request's app, by its URLs; '' when they do not say. */
export function storeOsOf(app: JsonObject): Os | '' {
  for (const address of [app['storeurl'], app['url'], app['bundle']]) {
    const text = textOf(address);
    const os = text.includes(':') || text.includes('/') ? storeIn(text).os : '';
    if (os !== '') return os;
  }
  return '';
}

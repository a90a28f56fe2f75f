import type { Os } from '@bidwell/contract/apps/schema';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';

/** An app's page in a store. */
export interface StoreApp {
  os: Os;
  /** The package name or the numeric store id. */
  bundleId: string;
}

/**
 * The app of an address that opens a store: its web page, `market:`, `itms-apps:` and the like, or an Android `intent:` for the
 * store or its page. Null for any other address. Never throws.
 */
export function storeAppOf(address: string): StoreApp | null {
  if (/^intent:/i.test(address)) return appOfIntent(address);
  // A bare path is not an address here, though a person may paste one.
  if (!/^[a-z][a-z\d+.-]*:/i.test(address)) return null;
  const link = parseStoreLink(address);
  return link && { os: link.os, bundleId: link.bundleId };
}

/** Android's intent addresses: `intent://details?id=com.example#Intent;scheme=market;package=com.android.vending;end`. */
function appOfIntent(address: string): StoreApp | null {
  const [path = '', intent = ''] = address.slice('intent:'.length).split('#Intent;');
  const part = (name: string) =>
    intent
      .split(';')
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? '';
  const scheme = part('scheme');
  const opened = scheme === '' ? null : parseStoreLink(`${scheme}:${path}`);
  const fallback = decoded(part('S.browser_fallback_url'));
  const app = opened ?? (/^[a-z][a-z\d+.-]*:/i.test(fallback) ? parseStoreLink(fallback) : null);
  return app && { os: app.os, bundleId: app.bundleId };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

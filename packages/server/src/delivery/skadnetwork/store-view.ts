import type { SkOverlay } from '@bidwell/contract/adsets/app-store';
import type { CompiledAdset } from '../model/candidate.ts';
import type { ParsedImp } from '../model/bid-request.ts';

/** Further members of a bid's objects, as JSON without braces; '' for none. */
export interface StoreView {
  skadn: string;
  adAttributionKit: string;
}

const NONE: StoreView = { skadn: '', adAttributionKit: '' };
/** How both extensions write where an overlay is shown. */
const POSITIONS: Readonly<Record<SkOverlay['position'], 0 | 1>> = { bottom: 0, raised: 1 };

/**
 * What a signed bid says of the App Store: the ad set's custom product page and SKOverlay, each only where the publisher's app can show
 * it. The draft for AdAttributionKit has no parameter by which a request allows a product page, so that each may have one. None of this
 * is signed.
 */
export function storeViewOf(
  { skadnetwork, adAttributionKit }: Pick<ParsedImp, 'skadnetwork' | 'adAttributionKit'>,
  { productPageId, overlay }: Pick<CompiledAdset, 'productPageId' | 'overlay'>,
): StoreView {
  if (productPageId === null && overlay === null) return NONE;
  return {
    skadn: membersOf({
      productpageid: skadnetwork?.hasProductPages ? productPageId : null,
      skoverlay: overlay && skadnetwork?.hasOverlay ? skadnOverlay(overlay) : null,
    }),
    adAttributionKit: membersOf({
      cpp: adAttributionKit && productPageId,
      ext: overlay && adAttributionKit?.hasOverlay ? { skoverlay: kitOverlay(overlay) } : null,
    }),
  };
}

/** `skoverlay` of `bid.ext.skadn`: without a delay it is not shown there. */
const skadnOverlay = ({ delay, end_card_delay: endCardDelay, dismissible, position }: SkOverlay) => ({
  delay: delay ?? undefined,
  endcarddelay: endCardDelay ?? undefined,
  dismissible: dismissible ? 1 : 0,
  pos: POSITIONS[position],
});

/** `ext.skoverlay` of AdAttributionKit's object. */
const kitOverlay = ({ delay, end_card_delay: endCardDelay, dismissible, position }: SkOverlay) => ({
  show: 1,
  delay: delay ?? undefined,
  companion_delay: endCardDelay ?? undefined,
  pos: POSITIONS[position],
  dismissible: dismissible ? 1 : 0,
});

function membersOf(members: Readonly<Record<string, unknown>>): string {
  const own = Object.entries(members).filter(([, value]) => value !== null);
  return own.length === 0 ? '' : JSON.stringify(Object.fromEntries(own)).slice(1, -1);
}

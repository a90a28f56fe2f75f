import { imageFits } from '../model/native-parts.ts';
import type { ParsedAsset, ParsedImp } from '../model/bid-request.ts';
import type { Shape } from '../model/candidate.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';

/** No-bid reason if native ads of a shape lack an asset that an imp requires; null if they have all. */
export function nativeRefusal({ native }: ParsedImp, shape: Shape): NoBidReason | null {
  if (!native) return 'no_matching_format';
  return native.assets.every((asset) => !asset.required || isThere(asset, shape)) ? null : 'native_assets';
}

function isThere(asset: ParsedAsset, shape: Shape): boolean {
  switch (asset.kind) {
    case 'title':
      return true;
    case 'image':
      return imageFits(asset, shape);
    case 'icon':
      return shape.hasIcon;
    case 'data':
      return shape.dataTypes.includes(asset.type);
    case 'other':
      return false;
  }
}

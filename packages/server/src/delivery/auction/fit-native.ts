import { shownImage } from '../model/native-parts.ts';
import type { ParsedAsset, ParsedImp } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import { videoNoBidReason } from './fit-video.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

/** No-bid reason if native ads of a creative format lack an asset that an imp requires; null if they have all. */
export function nativeNoBidReason({ native }: ParsedImp, creativeFormat: CreativeFormat): NoBidReason | null {
  if (!native) return 'no_matching_format';
  return native.assets.every((asset) => !asset.required || isThere(asset, creativeFormat))
    ? null
    : 'native_assets';
}

function isThere(asset: ParsedAsset, creativeFormat: CreativeFormat): boolean {
  switch (asset.kind) {
    case 'title':
      return true;
    case 'image':
      return shownImage(asset, creativeFormat) !== null;
    case 'icon':
      return creativeFormat.hasIcon;
    case 'data':
      return creativeFormat.dataTypes.includes(asset.type);
    case 'video':
      return creativeFormat.videos.some((format) => videoNoBidReason(asset, format) === null);
    case 'other':
      return false;
  }
}

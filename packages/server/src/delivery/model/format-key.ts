import type { CreativeType } from '@bidwell/contract/creatives/schema';

/** Format by which rates are learned: the size of a banner, otherwise the creative type. */
export function formatKeyOf({
  type,
  width,
  height,
}: {
  type: CreativeType;
  width: number;
  height: number;
}): string {
  return type === 'Banner' ? `${type} ${width}x${height}` : type;
}

import type { CreativeType } from '@bidwell/contract/creative';

/** What of a creative decides how often it is clicked, beside its picture: a banner's size, else its type. */
export function formatOf({
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

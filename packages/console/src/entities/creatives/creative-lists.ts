import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';

/** The field of a creative group with the creatives of each type, in the order of the panels. */
export const creativeLists = {
  Banner: 'banner_creatives',
  Native: 'native_creatives',
  Playable: 'playable_creatives',
  Video: 'video_creatives',
} as const satisfies Record<CreativeType, string>;

/** Whether a creative runs or may run once it is reviewed: rejected ones do not, unless an approved version does. */
export const mayRun = ({ status, approved_version: approved }: Creative): boolean =>
  status !== 'Rejected' || approved !== null;

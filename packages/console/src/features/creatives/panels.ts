import type { CreativeType } from '@bidwell/contract/creative';

/** Types of creatives: labels, hints and accepted files. */
export const panels = [
  {
    type: 'Banner',
    label: 'Images',
    file: 'image',
    hint: 'JPEG or PNG in one of the allowed sizes, up to 5 MB each',
    accept: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'] },
    multiple: true,
  },
  {
    type: 'Native',
    label: 'Native',
    file: 'image',
    hint: 'One JPEG, PNG or GIF in one of the allowed sizes, up to 5 MB',
    accept: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'], 'image/gif': ['.gif'] },
    multiple: false,
  },
  {
    type: 'Playable',
    label: 'Playable',
    file: 'playable',
    hint: 'HTML files that hold all they need, up to 5 MB each',
    accept: { 'text/html': ['.html'] },
    multiple: true,
  },
  {
    type: 'Video',
    label: 'Videos',
    file: 'video',
    hint: 'MP4 or MOV, not square, up to 100 MB each. Each needs an end card: JPEG or PNG, not square',
    accept: { 'video/mp4': ['.mp4'], 'video/quicktime': ['.mov'] },
    multiple: true,
  },
] as const satisfies readonly {
  type: CreativeType;
  label: string;
  file: string;
  hint: string;
  accept: Record<string, readonly string[]>;
  multiple: boolean;
}[];

export type Panel = (typeof panels)[number];

export const creativeTypeOf = (type: CreativeType): Panel => panels.find((panel) => panel.type === type)!;

import { limits } from '../lib/limits.ts';

/** Messages of creatives and their files for users, some shared by server and console. */
export const creativeMessages = {
  groupTitleTooLong: `Title must be ${limits.titleMax} characters or less`,
  videoRequired: 'Video is required',
  bannerRequired: 'required',
  creativeUrls:
    'If they equal the URLs of the app’s tracking link, ads use the tracking link of their ad set. Other URLs are used for this creative once they are approved.',
  creativeUsesLink: 'Its ads use the URLs of their ad set’s tracking link.',
  creativeUsesOwn: 'Its ads use these URLs, once they are approved.',
  fileNotFound: 'File not found',
  oldCreative: 'Old creative',
  wrongBannerSize: (width: number, height: number) =>
    `The uploaded creative is ${width}×${height} px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.`,
  wrongVideoSize: (width: number, height: number) =>
    `The uploaded video is ${width}x${height} px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.`,
  bannerLimit: `Creative limit reached. Up to ${limits.bannersPerType} Banners per creative type. Current: ${limits.bannersPerType}.`,
  videoLimit: `Creative limit reached. Up to ${limits.videosPerType} Videos per creative type. Current: ${limits.videosPerType}.`,
} as const;

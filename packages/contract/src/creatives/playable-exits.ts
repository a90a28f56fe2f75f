/** How a playable's page can lead to the store. In an ad each leads to the click URL. */
export const PLAYABLE_EXITS = [
  'mraid.open',
  'mraid.openStoreUrl',
  'window.open',
  'link',
  'location',
  'ExitApi.exit',
  'FbPlayableAd.onCTAClick',
  'dapi.openStoreUrl',
  'window.install',
  'clickTag',
] as const;
export type PlayableExit = (typeof PLAYABLE_EXITS)[number];

/** Messages of drafts that only the server writes, in responses of the API. */
export const draftApiMessages = {
  draftsMax: (max: number) => `A company has at most ${max} drafts of campaigns: discard some first.`,
  draftChanged: (name: string) => `${name} changed this draft meanwhile.`,
  draftGone: 'This draft was discarded, or a campaign was created from it already.',
} as const;

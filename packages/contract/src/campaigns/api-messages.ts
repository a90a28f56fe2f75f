/** Messages of campaigns that only the server writes, in responses of the API. */
export const campaignApiMessages = {
  adsetOfOtherApp: (adset: string) => `The ad set "${adset}" is for another app`,
  copiesMax: (max: number) =>
    `A campaign with more than ${max} ad sets cannot be duplicated. Duplicate its ad sets instead.`,
  adsetOfCampaign: (adset: string, campaign: string) =>
    `The ad set "${adset}" is part of the campaign "${campaign}"`,
  manualCpmOnly: (adset: string) =>
    `The ad set "${adset}" needs the bid strategy Manual CPM: the others learn from installs, which a re-engagement campaign does not buy`,
  adsetOfNoOne: (adset: string) =>
    `The ad set "${adset}" includes only people who have the app, and leaves these out: no bid can match. Change its audiences first`,
  kindFixed: 'The kind of a campaign cannot be changed: create another campaign',
  skippedByClocks: (timeZone: string) =>
    `The clocks of ${timeZone} are put forward over these times, so that no time is left between them: choose a later end`,
  approvalPersons: 'People ask for approvals and give them, with their own login.',
  mentionUnknown: 'Mention people of the company who may read campaigns',
  isRunning: (name: string) => `Pause the campaign “${name}” first`,
} as const;

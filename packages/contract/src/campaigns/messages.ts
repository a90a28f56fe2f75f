/** Messages of campaigns for users, some shared by server and console. */
export const campaignMessages = {
  campaignCreated: 'Campaign created successfully',
  emptyCampaigns: 'There are no campaigns',
  endBeforeStart: 'The end date is before the start date',
  endTimeBeforeStart: 'The end time is not after the start time',
  skippedByClocks: (timeZone: string) =>
    `The clocks of ${timeZone} are put forward over these times, so that no time is left between them: choose a later end`,
  timeWithoutDay: 'Choose the day of this time first',
  timeFormat: 'Times are written HH:MM',
  approvalPersons: 'People ask for approvals and give them, with their own login.',
  mentionUnknown: 'Mention people of the company who may read campaigns',
  draftTooLarge: 'This draft is too long to be stored: shorten its lists.',
  isRunning: (name: string) => `Pause the campaign “${name}” first`,
  reEngagementAlgorithm:
    'Re-engagement campaigns bid by Manual CPM: the other bid strategies learn from installs, which they do not buy',
} as const;

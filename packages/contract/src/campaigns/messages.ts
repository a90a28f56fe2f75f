/** Messages of campaigns for users, some shared by server and console. */
export const campaignMessages = {
  campaignCreated: 'Campaign created successfully',
  emptyCampaigns: 'There are no campaigns',
  endBeforeStart: 'The end date is before the start date',
  endTimeBeforeStart: 'The end time is not after the start time',
  timeWithoutDay: 'Choose the day of this time first',
  timeFormat: 'Times are written HH:MM',
  draftTooLarge: 'This draft is too long to be stored: shorten its lists.',
  reEngagementAlgorithm:
    'Re-engagement campaigns bid by Manual CPM: the other bid strategies learn from installs, which they do not buy',
} as const;

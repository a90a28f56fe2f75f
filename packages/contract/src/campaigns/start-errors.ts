/** Messages for the conditions that prevent a campaign from starting. */
export const startErrors = {
  app: 'The app is not approved yet',
  archived: 'The campaign is archived: restore it first',
  domain: (app: string) =>
    `Enter the advertiser domain of the app “${app}” first: the developer’s own website`,
  bet_cpi: (adset: string) => `Enter the target cost per install (CPI) of the ad set “${adset}”`,
  goal_event: (adset: string) => `Enter the in-app event that the ad set “${adset}” buys`,
  cpa: (adset: string) => `Enter the target cost per person with the event (CPA) of the ad set “${adset}”`,
  roas: (adset: string) => `Enter the target ROAS of the ad set “${adset}”`,
  adsets: 'Add at least one active ad set whose creative group has an approved creative',
  audience: (adset: string) =>
    `Choose an audience that the ad set “${adset}” includes: people who have the app, whom a re-engagement campaign brings back`,
  balance: 'The balance is empty: top up first',
  ended: 'The end date has passed',
} as const;

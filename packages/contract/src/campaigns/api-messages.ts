/** Messages of campaigns that only the server writes, in responses of the API. */
export const campaignApiMessages = {
  adsetOfOtherApp: (adset: string) => `The ad set "${adset}" is for another app`,
  copiesMax: (max: number) =>
    `A campaign with more than ${max} ad sets cannot be duplicated. Duplicate its ad sets instead.`,
  adsetOfCampaign: (adset: string, campaign: string) =>
    `The ad set "${adset}" is part of the campaign "${campaign}"`,
} as const;

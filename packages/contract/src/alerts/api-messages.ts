/** Messages of alerts, their channels and rules that only the server writes, in responses of the API. */
export const companyAlertApiMessages = {
  alertChannelLimit: (max: number) => `A company has at most ${max} channels: remove one that is not used.`,
  alertRuleLimit: (max: number) => `A company has at most ${max} rules: remove one that is not needed.`,
  alertWaits: 'It waits to be sent already.',
} as const;

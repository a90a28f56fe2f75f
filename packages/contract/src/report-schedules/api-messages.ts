/** Messages of scheduled reports and their destinations that only the server writes, in responses of the API. */
export const reportScheduleApiMessages = {
  reportDestinationLimit: (max: number) =>
    `A company has at most ${max} destinations: remove one that is not used.`,
  reportDestinationUsed: (name: string) => `“${name}” is sent to it: change that report first.`,
  reportScheduleLimit: (max: number) =>
    `A company has at most ${max} scheduled reports: remove one that is not read.`,
} as const;

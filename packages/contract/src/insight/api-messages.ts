/** Messages of forecasts and goals that only the server writes, in responses of the API. */
export const insightApiMessages = {
  goalBeingRead: 'The data of this goal is still being read. Please try again.',
  noForecasts: 'This server makes no forecasts. Please try again later.',
} as const;

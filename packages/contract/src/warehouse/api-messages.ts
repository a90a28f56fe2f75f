/** Messages of the export to a warehouse that only the server writes, in responses of the API. */
export const warehouseApiMessages = {
  runWaits: 'These files wait to be stored already.',
  destinationUsed: 'The export of events stores its files there: change the export first.',
} as const;

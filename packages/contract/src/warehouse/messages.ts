/** Messages of the export to a warehouse for users, some shared by server and console. */
export const warehouseMessages = {
  kinds: 'Choose the kinds of events, each once',
  destination: 'Choose a bucket among the destinations',
  notMade: 'The files could not be made.',
  tooLarge: 'A file would be too large.',
  notStored: (name: string, reason: string) => `“${name}”: ${reason}`,
  destinationLost: 'Its bucket is no longer there.',
} as const;

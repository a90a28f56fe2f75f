/** Messages of reports for users, some shared by server and console. */
export const reportMessages = {
  reportTooLarge: 'This report is too large. Narrow the report or export it.',
  exportTooLarge: 'This export is too large. Choose fewer levels or a shorter period.',
  oneMeasurementFilter: 'Filter by a campaign or by a tracking link, not by both',
} as const;

const timeZones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The names of all time zones that the browser knows, and `own`. */
export const timeZonesWith = (own: string): string[] =>
  timeZones.includes(own) ? timeZones : [own, ...timeZones];

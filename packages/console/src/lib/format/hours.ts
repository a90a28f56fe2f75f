/** An hour of the day, from 0: `08:00`. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The hours of a day to choose from. */
export const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: hourText(hour),
}));

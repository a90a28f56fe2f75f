/** Sentences of the text of {@link notificationMessages.anomaly}. */
export const anomalySentences = {
  figure: (was: {
    label: string;
    value: string;
    hour: string | null;
    difference: string;
    comparison: 'more' | 'less';
  }) =>
    `${was.label} was ${was.value}${was.hour ? ` ${was.hour}` : ''}, ${was.difference} ${was.comparison} than usual for this hour.`,
  change: (change: { name: string; what: string; at: string }) =>
    `The latest change before it: “${change.name}” (${change.what}) on ${change.at}.`,
} as const;

/** Messages of comments that only the server writes, in responses of the API. */
export const commentApiMessages = {
  formerPerson: 'A former colleague',
  commentsMax: (max: number) => `There are ${max} comments already, and no room for more.`,
  commentRate: (max: number) => `At most ${max} comments a minute. Wait a moment.`,
  commentOfOther: 'Only the person who wrote a comment changes or deletes it.',
  commentLate: (minutes: number) => `A comment can be changed and deleted for ${minutes} minutes.`,
} as const;

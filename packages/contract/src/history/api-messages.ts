/** Messages of undo that only the server writes, in responses of the API. */
export const undoApiMessages = {
  undoNever: 'A change of this kind cannot be undone.',
  undoDone: 'Nothing to undo: the values from before this change are set already.',
  undoOutdated: (fields: string) =>
    `This change cannot be undone: it was changed again since (${fields}). Undo the newer change first.`,
  undoDeleted: (what: string) => `This change cannot be undone: the ${what} was deleted.`,
  undoInvalid: (reasons: string) => `The earlier values cannot be set again. ${reasons}`,
} as const;

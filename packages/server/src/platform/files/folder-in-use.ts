/** Another process has the data folder; the message says so to a person. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`Another Bidwell process already uses the data folder ${folder}.`);
  }
}

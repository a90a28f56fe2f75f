/** Another process has the data folder open; the message is a sentence for people. */
export class DataFolderInUse extends Error {}
/** The data folder cannot be opened for another reason; the message is a sentence for people. */
export class DataFolderUnusable extends Error {}

/** A message of the event stream. */
export interface StreamMessage {
  /** Its number in the stream. */
  seq: number;
  /** When the stream received it, Unix ms. */
  atMs: number;
  /** A segment of the event log's format. */
  data: Buffer;
}

/** Where a reader of the stream puts messages. */
export interface MessageBuffer {
  /** Whether another message may be read. */
  hasRoom(): boolean;
  push(message: StreamMessage): void;
  /** The stream has lost the last message that was read, and maybe earlier ones. Nothing more is read. */
  messagesLost(): void;
  /**
   * The stream has lost the last message that was booked. What it has begins with what is left of the booked ones, and ends
   * at present with the message `endSeq`, 0 for none. Called before they are read.
   */
  bookedLost(endSeq: number): void;
}

/** A message by which its reader recognises the stream; its number is 0 before the first one. */
export interface ReadMessage {
  seq: number;
  /** When the stream received it, Unix ms; null where that is not known. */
  atMs: number | null;
}

/** Where a partition is read from. */
export interface ReadFrom {
  /** The message before the first one that is read. */
  after: ReadMessage;
  /** The last message that was booked, with the latest time of those until then. */
  booked: ReadMessage;
}

/**
 * Reads one partition in order, without gaps. At first and whenever the connection was lost, it looks whether the stream
 * still has the last message that was read, and the last one that was booked.
 */
export interface PartitionReader {
  /** Whether the stream that is connected has everything that was read. */
  isSound(): boolean;
  /** Reads on, once its buffer has room again. */
  wake(): void;
  stop(): void;
}

/** The event stream as counters use it. */
export interface CountedStream {
  /** Key of the stream: its name and the time of its creation. */
  key: string;
  partitions: number;
  /** Reads the messages of a partition after one. */
  read(partition: number, from: ReadFrom, buffer: MessageBuffer): PartitionReader;
  /** Deletes the messages of a partition before a number. */
  purge(partition: number, beforeSeq: number): Promise<void>;
}

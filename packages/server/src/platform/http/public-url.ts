/** Public address of the server, from the configuration. */
export interface PublicAddress {
  /** Absent where there is no proxy between the server and its clients. */
  publicUrl?: string | undefined;
  port: number;
}

/** The URL by which browsers, devices and exchanges reach the server; never taken from a request's `Host`. */
export const publicUrlOf = ({ publicUrl, port }: PublicAddress) => publicUrl ?? `http://localhost:${port}`;

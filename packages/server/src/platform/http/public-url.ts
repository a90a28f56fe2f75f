/** Where the server is, as its operator says. */
export interface PublicAddress {
  /** Absent where nothing stands between the server and its clients. */
  publicUrl?: string | undefined;
  port: number;
}

/** How browsers, devices and exchanges reach the server: never what a request says of itself in `Host`. */
export const publicUrlOf = ({ publicUrl, port }: PublicAddress) => publicUrl ?? `http://localhost:${port}`;

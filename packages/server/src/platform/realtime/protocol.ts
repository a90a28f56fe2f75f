import { z } from 'zod';

/**
 * The commands of the Centrifuge client protocol (JSON, version 2) that this server understands. A frame holds one or
 * more of them, a line each; an empty object is a pong.
 */
export const Command = z.object({
  id: z.number().int().min(0).max(0xffff_ffff).optional(),
  connect: z.object({ token: z.string().max(4096).optional() }).optional(),
  refresh: z.object({ token: z.string().max(4096).optional() }).optional(),
  subscribe: z.object({ channel: z.string().min(1).max(255) }).optional(),
  unsubscribe: z.object({ channel: z.string().min(1).max(255) }).optional(),
});
export type Command = z.infer<typeof Command>;

/** Errors that a command is answered with; the connection stays. */
export const errors = {
  unknownChannel: { code: 102, message: 'unknown channel' },
  permissionDenied: { code: 103, message: 'permission denied' },
  methodNotFound: { code: 104, message: 'method not found' },
  alreadySubscribed: { code: 105, message: 'already subscribed' },
  tokenExpired: { code: 109, message: 'token expired' },
} as const;

/** Codes that a connection is closed with. Clients reconnect after 3000-3499 and stay away after 3500-3999. */
export const disconnects = {
  shutdown: { code: 3001, reason: 'shutdown' },
  expired: { code: 3005, reason: 'connection expired' },
  slow: { code: 3008, reason: 'slow' },
  noPong: { code: 3012, reason: 'no pong' },
  invalidToken: { code: 3500, reason: 'invalid token' },
  badRequest: { code: 3501, reason: 'bad request' },
  stale: { code: 3502, reason: 'stale' },
} as const;
export type Disconnect = (typeof disconnects)[keyof typeof disconnects];

/** The commands of a frame; null when it is no frame of the protocol. */
export function readFrame(frame: string): Command[] | null {
  const commands: Command[] = [];
  for (const line of frame.split('\n')) {
    if (line.trim() === '') continue;
    const command = Command.safeParse(parseJson(line));
    if (!command.success) return null;
    commands.push(command.data);
  }
  return commands.length > 0 && commands.length <= 64 ? commands : null;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import { z } from 'zod';

const token = z.string().max(4096).optional();
const channel = z.string().min(1).max(255);
/** Position to recover from; the protocol omits fields that are 0 or empty. */
const recovery = {
  recover: z.boolean().optional(),
  epoch: z.string().max(64).optional(),
  offset: z.number().int().min(0).optional(),
};

/** A command of the protocol that this server does not support. */
const other = z.object({}).optional();

/**
 * Commands of the Centrifuge client protocol (JSON, version 2) that this server recognizes. A frame holds one or more of
 * them, one per line; an empty object is a pong.
 */
export const Command = z.object({
  id: z.number().int().min(0).max(0xffff_ffff).optional(),
  connect: z.object({ token, subs: z.record(channel, z.object(recovery)).optional() }).optional(),
  refresh: z.object({ token }).optional(),
  subscribe: z.object({ channel, ...recovery }).optional(),
  unsubscribe: z.object({ channel }).optional(),
  publish: other,
  presence: other,
  presence_stats: other,
  history: other,
  rpc: other,
  sub_refresh: other,
});
export type Command = z.infer<typeof Command>;

/** Error replies to a command; the connection stays open. */
export const errors = {
  permissionDenied: { code: 103, message: 'permission denied' },
  methodNotFound: { code: 104, message: 'method not found' },
  alreadySubscribed: { code: 105, message: 'already subscribed' },
  notAvailable: { code: 108, message: 'not available' },
  tokenExpired: { code: 109, message: 'token expired' },
} as const;

/** Close codes. Clients reconnect after 3000-3499 and stay away after 3500-3999. */
export const disconnects = {
  shutdown: { code: 3001, reason: 'shutdown' },
  expired: { code: 3005, reason: 'connection expired' },
  slow: { code: 3008, reason: 'slow' },
  insufficientState: { code: 3010, reason: 'insufficient state' },
  noPong: { code: 3012, reason: 'no pong' },
  tooManyRequests: { code: 3013, reason: 'too many requests' },
  invalidToken: { code: 3500, reason: 'invalid token' },
  badRequest: { code: 3501, reason: 'bad request' },
  stale: { code: 3502, reason: 'stale' },
  connectionLimit: { code: 3504, reason: 'connection limit' },
} as const;
export type Disconnect = (typeof disconnects)[keyof typeof disconnects];

/** The position in a recovery request; undefined when it is none. */
export function positionIn(subscription: { recover?: boolean; epoch?: string; offset?: number } | undefined) {
  return subscription?.recover
    ? { epoch: subscription.epoch ?? '', offset: subscription.offset ?? 0 }
    : undefined;
}

/** Parses the commands of a frame; null when it is not a frame of the protocol. */
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

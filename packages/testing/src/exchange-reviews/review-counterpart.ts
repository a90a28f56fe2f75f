import { createVerify, generateKeyPairSync } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { bodyOf, sendJson } from '../counterpart-http.ts';

/** How the exchanges respond: as usual, not at all, after a while, or with a status. */
export type ReviewMood =
  | 'usual'
  | 'silent'
  | { slowMs: number }
  | { status: number; retryAfterSeconds?: number };

/** A creative as an exchange stores it. */
export interface RegisteredCreative {
  /** By which bids name it. */
  id: string;
  state: 'pending' | 'approved' | 'disapproved';
  reasons: string[];
  content: Readonly<Record<string, unknown>>;
  /** How often it was written. */
  writes: number;
  writtenAt: Date;
  /** No longer used, and forgotten. */
  isInactive: boolean;
}

/** A page of Google's list of creatives. */
export interface GooglePage {
  creatives: unknown[];
  nextPageToken?: string;
}

/** The exchanges that review creatives in one server, which gets their hosts as the first part of the path. */
export interface ReviewCounterpart {
  /** For the setting PARTNER_STAND_IN. */
  origin: string;
  google: { buyer: string; /** JSON key of the service account. */ key: string };
  xandr: { member: string; username: string; password: string };
  mood: ReviewMood;
  /** Creates and updates that are left in the quota; further ones get 429. */
  writesLeft: number;
  /** Stores the next create or update, but its response does not arrive. */
  cutNextResponse: boolean;
  /** Each request so far, as `METHOD /host/path`. */
  requests: string[];
  /** What it decides on a creative as soon as it is submitted; pending until {@link decide} otherwise. */
  judge: (creative: RegisteredCreative, exchange: 'google' | 'xandr') => void;
  /** Changes each page of Google's list before it is sent. */
  changeGooglePage: (page: GooglePage) => GooglePage;
  /** Changes the creatives of each page of Xandr's list before it is sent. */
  changeXandrPage: (creatives: unknown[]) => unknown[];
  creatives(exchange: 'google' | 'xandr'): RegisteredCreative[];
  decide(
    exchange: 'google' | 'xandr',
    id: string,
    state: RegisteredCreative['state'],
    reasons?: string[],
  ): void;
  /** The hosts of the exchanges, and what handles their requests: for a server that stands in for others too. */
  hosts: ReadonlySet<string>;
  handle(this: void, request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;
/** A demonstration runs for months. */
const REQUESTS_MAX = 10_000;

/** A creative of Google's Real-time Bidding API, with one content. */
const GoogleCreative = z
  .strictObject({
    creativeId: z.string().max(128).optional(),
    advertiserName: z.string(),
    declaredClickThroughUrls: z.array(z.url()).min(1),
    html: z.strictObject({ snippet: z.string().min(1), width: z.int(), height: z.int() }).optional(),
    video: z.strictObject({ videoVastXml: z.string().startsWith('<') }).optional(),
    native: z
      .strictObject({
        headline: z.string().min(1),
        body: z.string(),
        advertiserName: z.string(),
        image: z.strictObject({ url: z.url(), width: z.int(), height: z.int() }),
        clickLinkUrl: z.url(),
      })
      .optional(),
  })
  .refine(({ html, video, native }) => [html, video, native].filter(Boolean).length === 1);

/** A creative of Xandr's creative service: HTML, or native. */
const XandrCreative = z.object({
  creative: z
    .object({
      code: z.string().max(100),
      description: z.string().max(400).optional(),
      width: z.int(),
      height: z.int(),
      allow_audit: z.literal(true),
      template: z.object({ id: z.int() }),
      content: z.string().min(1).optional(),
      content_secure: z.string().min(1).optional(),
      native_attribute: z.looseObject({ title: z.string() }).optional(),
    })
    .loose()
    .refine(({ template, content, native_attribute: native }) =>
      template.id === 39_461 ? native !== undefined : content !== undefined,
    ),
});

/** Starts the exchanges, at a port of this machine: 0 for any. */
export async function startReviewCounterpart({
  port = 0,
  now = () => new Date(),
}: { port?: number; now?: () => Date } = {}): Promise<ReviewCounterpart> {
  const stores = {
    google: new Map<string, RegisteredCreative>(),
    xandr: new Map<string, RegisteredCreative>(),
  };
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = { google: 'google-token', xandr: 'xandr-token' };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://exchange.test');
    counterpart.requests.push(`${request.method ?? ''} ${url.pathname}`);
    if (counterpart.requests.length > REQUESTS_MAX) counterpart.requests.shift();
    const body = await bodyOf(request, BODY_BYTES_MAX);
    const { mood } = counterpart;
    if (mood === 'silent') return;
    if (typeof mood === 'object' && 'status' in mood) {
      if (mood.retryAfterSeconds !== undefined) response.setHeader('retry-after', mood.retryAfterSeconds);
      return sendJson(response, mood.status, { error: { code: mood.status, message: 'Not now' } });
    }
    if (typeof mood === 'object') await new Promise((next) => setTimeout(next, mood.slowMs));
    const [, host = ''] = url.pathname.split('/');
    const path = url.pathname.slice(host.length + 1);
    switch (host) {
      case 'oauth2.googleapis.com':
        return giveGoogleToken(response, body);
      case 'realtimebidding.googleapis.com':
        return ofGoogle(request, response, { path, url, body });
      case 'api.adnxs.com':
        return ofXandr(request, response, { path, url, body });
      default:
        return sendJson(response, 404, {});
    }
  };

  const write = (
    exchange: 'google' | 'xandr',
    id: string,
    content: Record<string, unknown>,
  ): RegisteredCreative => {
    const before = stores[exchange].get(id);
    const creative: RegisteredCreative = {
      id,
      // Each update is reviewed again.
      state: 'pending',
      reasons: [],
      content: { ...before?.content, ...content },
      writes: (before?.writes ?? 0) + 1,
      writtenAt: now(),
      isInactive: false,
    };
    stores[exchange].set(id, creative);
    counterpart.writesLeft -= 1;
    counterpart.judge(creative, exchange);
    return creative;
  };
  /** Whether the connection is cut in place of the response. */
  const isCut = (response: ServerResponse): boolean => {
    if (!counterpart.cutNextResponse) return false;
    counterpart.cutNextResponse = false;
    response.destroy();
    return true;
  };

  const giveGoogleToken = (response: ServerResponse, body: Buffer): void => {
    const form = new URLSearchParams(body.toString('utf8'));
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isSigned = createVerify('RSA-SHA256')
      .update(`${header}.${claims}`)
      .verify(publicKey, signature, 'base64url');
    const claimed = jsonOf(Buffer.from(claims, 'base64url')) as { scope?: string; aud?: string } | undefined;
    const isValid =
      isSigned &&
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      claimed?.scope === 'https://www.googleapis.com/auth/realtime-bidding' &&
      claimed.aud === 'https://oauth2.googleapis.com/token';
    if (!isValid)
      return sendJson(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    sendJson(response, 200, { access_token: tokens.google, expires_in: 3599, token_type: 'Bearer' });
  };

  const ofGoogle = (
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    { path, url, body }: Asked,
  ): void => {
    const fault = (code: number, status: string, message: string) =>
      sendJson(response, code, { error: { code, message, status } });
    if (headers.authorization !== `Bearer ${tokens.google}`)
      return fault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    const [, buyer, id] = /^\/v1\/buyers\/(\d+)\/creatives(?:\/([^/]+))?$/.exec(path) ?? [];
    if (buyer !== counterpart.google.buyer)
      return fault(403, 'PERMISSION_DENIED', 'The caller does not have permission');
    const store = stores.google;
    const isWrite = method === 'POST' || method === 'PATCH';
    if (isWrite && counterpart.writesLeft <= 0)
      return fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric.');
    if (method === 'GET' && id === undefined) return listGoogle(response, url);
    const present = id === undefined ? undefined : store.get(decodeURIComponent(id));
    if (method === 'GET')
      return present && !present.isInactive
        ? sendJson(response, 200, googleBody(present, true))
        : fault(404, 'NOT_FOUND', 'Requested entity was not found.');
    const parsed = GoogleCreative.safeParse(jsonOf(body));
    if (!parsed.success) return fault(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    const { creativeId, ...content } = parsed.data;
    if (method === 'PATCH' && !present) return fault(404, 'NOT_FOUND', 'Requested entity was not found.');
    const name = present?.id ?? creativeId;
    if (name === undefined) return fault(400, 'INVALID_ARGUMENT', 'creativeId is required.');
    if (method === 'POST' && store.has(name))
      return fault(409, 'ALREADY_EXISTS', 'Requested entity already exists');
    const written = write('google', name, content);
    if (!isCut(response)) sendJson(response, 200, googleBody(written, true));
  };

  const googleBody = (creative: RegisteredCreative, isFull: boolean) => ({
    name: `buyers/${counterpart.google.buyer}/creatives/${creative.id}`,
    accountId: counterpart.google.buyer,
    creativeId: creative.id,
    ...(isFull && { ...creative.content, apiUpdateTime: creative.writtenAt.toISOString() }),
    creativeServingDecision: {
      networkPolicyCompliance: {
        status: { pending: 'PENDING_REVIEW', approved: 'APPROVED', disapproved: 'DISAPPROVED' }[
          creative.state
        ],
        topics: creative.reasons.map((policyTopic) => ({ policyTopic })),
      },
    },
  });

  const listGoogle = (response: ServerResponse, url: URL): void => {
    const size = Math.min(Number(url.searchParams.get('pageSize') ?? 100), 1000);
    const start = Number(url.searchParams.get('pageToken') ?? 0);
    const active = [...stores.google.values()].filter(({ isInactive }) => !isInactive);
    const page: GooglePage = {
      creatives: active.slice(start, start + size).map((creative) => googleBody(creative, false)),
      ...(start + size < active.length && { nextPageToken: String(start + size) }),
    };
    sendJson(response, 200, counterpart.changeGooglePage(page));
  };

  const ofXandr = (
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    { path, url, body }: Asked,
  ): void => {
    const fault = (code: number, id: string, error: string) =>
      sendJson(response, code, { response: { status: 'ERROR', error_id: id, error } });
    const { member, username, password } = counterpart.xandr;
    if (path === '/auth') {
      const asked = z
        .object({ auth: z.object({ username: z.string(), password: z.string() }) })
        .safeParse(jsonOf(body));
      const isKnown =
        asked.success && asked.data.auth.username === username && asked.data.auth.password === password;
      return isKnown
        ? sendJson(response, 200, { response: { status: 'OK', token: tokens.xandr } })
        : fault(401, 'UNAUTH', 'No match found for user/pass');
    }
    if (headers.authorization !== tokens.xandr) return fault(401, 'NOAUTH', 'Authentication failed');
    const store = stores.xandr;
    const code = url.searchParams.get('code');
    if (method === 'GET' && path === '/creative' && url.searchParams.get('member_id') === member) {
      const found = store.get(code ?? '');
      return found
        ? sendJson(response, 200, { response: { status: 'OK', count: 1, creative: xandrBody(found) } })
        : fault(404, 'SYNTAX', 'creative not found');
    }
    if (path !== `/creative/${member}`) return fault(403, 'UNAUTH', 'Member is not authorized');
    if (method === 'GET') {
      const start = Number(url.searchParams.get('start_element') ?? 0);
      const all = [...store.values()];
      const creatives = counterpart.changeXandrPage(all.slice(start, start + 100).map(xandrBody));
      return sendJson(response, 200, {
        response: { status: 'OK', count: all.length, start_element: start, creatives },
      });
    }
    if (counterpart.writesLeft <= 0) {
      response.setHeader('retry-after', '60');
      return fault(429, 'SYSTEM', 'You have exceeded your request limit for this minute.');
    }
    const parsed = XandrCreative.safeParse(jsonOf(body));
    if (!parsed.success) return fault(400, 'SYNTAX', 'creative is not valid');
    const { creative } = parsed.data;
    if (method === 'PUT' && !store.has(code ?? '')) return fault(404, 'SYNTAX', 'creative not found');
    if (method === 'POST' && store.has(creative.code))
      return fault(400, 'SYNTAX', 'code is already in use by another creative');
    const written = write('xandr', creative.code, creative);
    if (!isCut(response))
      sendJson(response, 200, { response: { status: 'OK', id: 1, creative: xandrBody(written) } });
  };

  const xandrBody = (creative: RegisteredCreative) => ({
    id: [...stores.xandr.keys()].indexOf(creative.id) + 1,
    code: creative.id,
    description: creative.content['description'],
    audit_status: { pending: 'pending', approved: 'audited', disapproved: 'rejected' }[creative.state],
    audit_feedback: creative.reasons.join('; ') || null,
    is_expired: creative.isInactive,
    is_prohibited: false,
    last_activity: creative.writtenAt.toISOString().slice(0, 19).replace('T', ' '),
  });

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch(() => response.destroy());
  };
  const server: Server = createServer(handle);
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  // The process may end while it is open.
  server.unref();
  const counterpart: ReviewCounterpart = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    google: {
      buyer: '88453',
      key: JSON.stringify({
        type: 'service_account',
        client_email: 'reviews@example.com',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      }),
    },
    xandr: { member: '958', username: 'reviews', password: 'a-password' },
    mood: 'usual',
    writesLeft: Number.POSITIVE_INFINITY,
    cutNextResponse: false,
    requests: [],
    judge: () => {},
    changeGooglePage: (page) => page,
    changeXandrPage: (creatives) => creatives,
    creatives: (exchange) => [...stores[exchange].values()],
    decide(exchange, id, state, reasons = []) {
      Object.assign(stores[exchange].get(id)!, { state, reasons });
    },
    hosts: new Set(['oauth2.googleapis.com', 'realtimebidding.googleapis.com', 'api.adnxs.com']),
    handle,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return counterpart;
}

interface Asked {
  /** Without the host. */
  path: string;
  url: URL;
  body: Buffer;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

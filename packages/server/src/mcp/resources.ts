import { listRankedFindings } from '@bidwell/contract/insight/endpoints';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import { reportByLevels } from '@bidwell/contract/reports/endpoints';
import { McpError, type Resource } from '@modelcontextprotocol/sdk/types.js';
import type { ApiReply, CallApi, CallInput, Caller } from './api.ts';
import { boundedJson } from './tool-calls.ts';
import { readsReports, toolGuide } from './tools.ts';

/** Code of the protocol for a resource that does not exist. */
const NOT_FOUND = -32_002;

/** A resource that is read by a call of the API. */
interface ReportResource {
  resource: Resource;
  endpoint: Endpoint;
  input: (now: Date) => CallInput;
}

const reportOf = (
  name: string,
  title: string,
  levels: Record<string, string>,
  days: number,
): ReportResource => ({
  resource: { uri: `bidwell://reports/${name}`, name, title, mimeType: 'application/json' },
  endpoint: reportByLevels,
  input: (now) => ({ body: { ...lastDays(now, days), levels } }),
});

const reports: readonly ReportResource[] = [
  reportOf('campaigns', 'Campaigns in the last 7 days', { campaign: '' }, 7),
  reportOf('days', 'Days of the last 30', { day: '' }, 30),
  reportOf('countries', 'Countries in the last 7 days', { country: '' }, 7),
  {
    resource: {
      uri: 'bidwell://findings',
      name: 'findings',
      title: 'What limits the active campaigns, what costs the most first',
      mimeType: 'application/json',
    },
    endpoint: listRankedFindings,
    input: (now) => ({ query: lastDays(now, 7) }),
  },
];

const guide: Resource = {
  uri: 'bidwell://docs/tools',
  name: 'tools',
  title: 'How the tools work, and which this API key may call',
  mimeType: 'text/markdown',
};

/** The resources that an API key may read. */
export function resourcesOf({ session }: Caller): Resource[] {
  return [guide, ...(readsReports(session) ? reports.map(({ resource }) => resource) : [])];
}

/** Reads a resource. Throws McpError for one that does not exist for the key, and for a failure of the API. */
export async function readResource(api: CallApi, caller: Caller, now: Date, uri: string) {
  const textOf = async (): Promise<string> => {
    if (uri === guide.uri) return guideText(caller);
    const found = reports.find(({ resource }) => resource.uri === uri);
    if (!found || !readsReports(caller.session))
      throw new McpError(NOT_FOUND, assistantMessages.unknownResource(uri.slice(0, 200)));
    return dataOf(await api(caller, found.endpoint, found.input(now)));
  };
  const mimeType = uri === guide.uri ? guide.mimeType! : 'application/json';
  return { contents: [{ uri, mimeType, text: await textOf() }] };
}

function dataOf({ status, data, text }: ApiReply): string {
  if (status >= 300) throw new McpError(NOT_FOUND, text.slice(0, 1000));
  return boundedJson({ note: assistantMessages.data, data });
}

function guideText({ session }: Caller): string {
  return [assistantMessages.instructions, '', ...toolGuide(session), ''].join('\n');
}

/** The last days, today included, as the range of a report. By UTC: a day more of a report than a company has is empty. */
export function lastDays(now: Date, days: number): { start_date: string; end_date: string } {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { start_date: dayOf(now.getTime() - (days - 1) * 86_400_000), end_date: dayOf(now.getTime()) };
}

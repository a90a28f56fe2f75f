import { z } from 'zod';
import type { TracingSettings } from '../platform/telemetry/trace-exporter.ts';

const share = 'a number from 0 to 1';
const HEADER = /^[\w!#$%&'*+.^`|~-]{1,100}=[\x21-\x2b\x2d-\x7e]{0,2000}$/;

/** The address of another server, after which paths are put; its password, if it has one, is a setting of its own. */
export const httpEndpoint = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:\/\/[^?#@]+$/i.test(text), {
    message: 'an address that starts with http:// or https://, without a name, a password or a query',
  });

/** The environment variables of traces, under the names that OpenTelemetry's specification gives them. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((text) => text.split(',').every((header) => HEADER.test(header.trim())), {
      message: 'headers such as name=value, with commas between',
    })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(share).min(0, share).max(1, share).default(0.01),
  OTEL_SERVICE_NAME: z.string().min(1).max(100, 'at most 100 characters').optional(),
};

/** Settings of traces; null where no collector is named. */
export function tracingOf(
  values: z.infer<z.ZodObject<typeof tracingVariables>>,
  roles: readonly string[],
  allRoles: number,
): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return null;
  const name = roles.length === allRoles ? 'bidwell' : `bidwell-${roles.join('-')}`;
  return {
    endpoint: endpoint.replace(/(?<!\/)\/+$/, ''),
    headers: Object.fromEntries((headers?.split(',') ?? []).map(headerOf)),
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    serviceName: values.OTEL_SERVICE_NAME ?? name,
  };
}

/** A header's value is percent-encoded where it has characters that the list itself uses. */
function headerOf(text: string): [string, string] {
  const [name, ...value] = text.trim().split('=');
  const encoded = value.join('=');
  try {
    return [name!, decodeURIComponent(encoded)];
  } catch {
    return [name!, encoded];
  }
}

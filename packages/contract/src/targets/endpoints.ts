import { z } from 'zod';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { Target, TargetInput, TargetUpdate, targetVersion } from './schema.ts';
import { CreatedRange, envelope } from '../lib/wire.ts';

export const listTargets = endpoint('GET /target', {
  companyPermission: 'target.read',
  summary: 'List targets',
  query: CreatedRange,
  response: { 200: envelope(z.object({ targets: z.array(Target) })) },
});

export const readTarget = endpoint('GET /target/:uuid', {
  companyPermission: 'target.read',
  summary: 'Read a target',
  version: targetVersion,
  response: { 200: envelope(Target) },
});

export const createTarget = endpoint('POST /target', {
  companyPermission: 'target.write',
  summary: 'Create a target',
  body: TargetInput,
  version: targetVersion,
  response: { 201: envelope(Target) },
});

export const updateTarget = endpoint('PUT /target/:uuid', {
  companyPermission: 'target.write',
  summary: 'Update a target',
  body: TargetUpdate,
  version: targetVersion,
  response: { 200: envelope(Target), ...conflict },
});

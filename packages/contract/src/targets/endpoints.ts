import { z } from 'zod';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { Target, TargetInput, TargetUpdate, targetVersion } from './schema.ts';
import { CreatedRange, UuidParams, envelope } from '../lib/wire.ts';

export const listTargets = endpoint({
  method: 'GET',
  path: '/target',
  companyPermission: 'target.read',
  summary: 'List targets',
  query: CreatedRange,
  response: { 200: envelope(z.object({ targets: z.array(Target) })) },
});

export const readTarget = endpoint({
  method: 'GET',
  path: '/target/:uuid',
  companyPermission: 'target.read',
  summary: 'Read a target',
  params: UuidParams,
  version: targetVersion,
  response: { 200: envelope(Target) },
});

export const createTarget = endpoint({
  method: 'POST',
  path: '/target',
  companyPermission: 'target.write',
  summary: 'Create a target',
  body: TargetInput,
  version: targetVersion,
  response: { 201: envelope(Target) },
});

export const updateTarget = endpoint({
  method: 'PUT',
  path: '/target/:uuid',
  companyPermission: 'target.write',
  summary: 'Update a target',
  params: UuidParams,
  body: TargetUpdate,
  version: targetVersion,
  response: { 200: envelope(Target), ...conflict },
});

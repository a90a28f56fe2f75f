import { z } from 'zod';
import { conflict, endpoint } from '../endpoint.ts';
import { TrackingLink, TrackingLinkInput, TrackingLinkUpdate } from '../tracking-link.ts';
import { CreatedRange, UuidParams, envelope } from '../wire.ts';

export const listTrackingLinks = endpoint({
  method: 'GET',
  path: '/tracking_link',
  summary: 'List tracking links',
  query: CreatedRange,
  response: { 200: envelope(z.object({ tracking_links: z.array(TrackingLink) })) },
});

export const readTrackingLink = endpoint({
  method: 'GET',
  path: '/tracking_link/:uuid',
  summary: 'Read a tracking link',
  params: UuidParams,
  response: { 200: envelope(TrackingLink) },
});

export const createTrackingLink = endpoint({
  method: 'POST',
  path: '/tracking_link',
  summary: 'Create a tracking link',
  body: TrackingLinkInput,
  response: { 201: envelope(TrackingLink) },
});

export const updateTrackingLink = endpoint({
  method: 'PUT',
  path: '/tracking_link/:uuid',
  summary: 'Update a tracking link',
  params: UuidParams,
  body: TrackingLinkUpdate,
  response: { 200: envelope(TrackingLink), ...conflict },
});

import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { TrackingLink, TrackingLinkInput, TrackingLinkUpdate, trackingLinkVersion } from './schema.ts';
import { LinkCheck, LinkCheckInput, ViewCheckInput } from './link-check.ts';
import { CreatedRange, envelope } from '../lib/wire.ts';

export const listTrackingLinks = endpoint('GET /tracking_link', {
  companyPermission: 'tracking_link.read',
  summary: 'List tracking links',
  query: CreatedRange,
  response: { 200: envelope(z.object({ tracking_links: z.array(TrackingLink) })) },
});

export const readTrackingLink = endpoint('GET /tracking_link/:uuid', {
  companyPermission: 'tracking_link.read',
  summary: 'Read a tracking link',
  version: trackingLinkVersion,
  response: { 200: envelope(TrackingLink) },
});

export const createTrackingLink = endpoint('POST /tracking_link', {
  companyPermission: 'tracking_link.write',
  summary: 'Create a tracking link',
  body: TrackingLinkInput,
  version: trackingLinkVersion,
  response: { 201: envelope(TrackingLink) },
});

export const updateTrackingLink = endpoint('PUT /tracking_link/:uuid', {
  companyPermission: 'tracking_link.write',
  summary: 'Update a tracking link',
  body: TrackingLinkUpdate,
  version: trackingLinkVersion,
  response: { 200: envelope(TrackingLink), ...conflict },
});

export const checkTrackingLink = endpoint('POST /tracking_link/check', {
  companyPermission: 'tracking_link.write',
  summary:
    'Follow the redirects of a click URL as a device would; the measurement partner may record a click, unless it is not called',
  body: LinkCheckInput,
  response: { 200: envelope(LinkCheck), ...limited },
});

export const checkViewUrl = endpoint('POST /tracking_link/check_view', {
  companyPermission: 'tracking_link.write',
  summary:
    'Load a view URL as a device would; the measurement partner may record a view, unless it is not called',
  body: ViewCheckInput,
  response: { 200: envelope(LinkCheck), ...limited },
});

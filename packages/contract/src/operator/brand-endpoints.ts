import { Brand, BrandSettings, LogoInput, brandVersion } from '../branding/schema.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

// Paths are relative to the operator's API.

export const readBrand = endpoint({
  method: 'GET',
  path: '/brand',
  summary: 'Read the name, logo, colours and links of the installation',
  permission: 'brand.read',
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

export const changeBrand = endpoint({
  method: 'PUT',
  path: '/brand',
  summary: 'Change the name, colours and links of the installation',
  permission: 'brand.write',
  body: BrandSettings,
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

export const changeLogo = endpoint({
  method: 'PUT',
  path: '/brand/logo',
  summary: 'Replace the logo of the installation',
  permission: 'brand.write',
  body: LogoInput,
  version: brandVersion,
  response: { 200: envelope(Brand), ...limited },
});

export const removeLogo = endpoint({
  method: 'DELETE',
  path: '/brand/logo',
  summary: 'Remove the logo of the installation',
  permission: 'brand.write',
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

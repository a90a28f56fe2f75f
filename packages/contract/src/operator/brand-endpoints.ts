import { Brand, BrandSettings, LogoInput, brandVersion } from '../branding/schema.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

// Paths are relative to the operator's API.

export const readBrand = endpoint('GET /brand', {
  summary: 'Read the name, logo, colours and links of the installation',
  permission: 'brand.read',
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

export const changeBrand = endpoint('PUT /brand', {
  summary: 'Change the name, colours and links of the installation',
  permission: 'brand.write',
  body: BrandSettings,
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

export const changeLogo = endpoint('PUT /brand/logo', {
  summary: 'Replace the logo of the installation',
  permission: 'brand.write',
  body: LogoInput,
  version: brandVersion,
  response: { 200: envelope(Brand), ...limited },
});

export const removeLogo = endpoint('DELETE /brand/logo', {
  summary: 'Remove the logo of the installation',
  permission: 'brand.write',
  version: brandVersion,
  response: { 200: envelope(Brand) },
});

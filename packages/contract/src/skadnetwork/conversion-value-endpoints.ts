import { conflict, endpoint } from '../lib/endpoint.ts';
import { UuidParams, envelope } from '../lib/wire.ts';
import { ConversionValues, ConversionValuesInput, conversionValuesVersion } from './conversion-values.ts';

export const readConversionValues = endpoint({
  method: 'GET',
  path: '/app/:uuid/conversion-values',
  companyPermission: 'app.read',
  summary: 'Read what the conversion values of an app mean in SKAdNetwork and AdAttributionKit',
  params: UuidParams,
  version: conversionValuesVersion,
  response: { 200: envelope(ConversionValues) },
});

export const updateConversionValues = endpoint({
  method: 'PUT',
  path: '/app/:uuid/conversion-values',
  companyPermission: 'app.write',
  summary: 'Change what the conversion values of an app mean, from today on',
  params: UuidParams,
  body: ConversionValuesInput,
  version: conversionValuesVersion,
  response: { 200: envelope(ConversionValues), ...conflict },
});

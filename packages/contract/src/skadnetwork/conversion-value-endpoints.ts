import { conflict, endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { ConversionValues, ConversionValuesInput, conversionValuesVersion } from './conversion-values.ts';

export const readConversionValues = endpoint('GET /app/:uuid/conversion-values', {
  companyPermission: 'app.read',
  summary: 'Read what the conversion values of an app mean in SKAdNetwork and AdAttributionKit',
  version: conversionValuesVersion,
  response: { 200: envelope(ConversionValues) },
});

export const updateConversionValues = endpoint('PUT /app/:uuid/conversion-values', {
  companyPermission: 'app.write',
  summary: 'Change what the conversion values of an app mean, from today on',
  body: ConversionValuesInput,
  version: conversionValuesVersion,
  response: { 200: envelope(ConversionValues), ...conflict },
});

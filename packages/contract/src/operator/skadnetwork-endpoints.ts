import { endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { SspSlug } from './schema.ts';
import {
  Network,
  NetworkApp,
  NetworkAppList,
  NetworkAppQuery,
  NetworkExchange,
  NetworkId,
  NetworkInput,
  SigningSwitch,
  SkadnetworkSettings,
  networkVersion,
} from '../skadnetwork/schema.ts';

// Paths are relative to the operator's API.

export const readSkadnetwork = endpoint('GET /skadnetwork', {
  summary: 'Read the ad networks of SKAdNetwork, and with which exchanges bids are signed',
  permission: 'exchange.read',
  response: { 200: envelope(SkadnetworkSettings) },
});

export const putNetwork = endpoint('PUT /skadnetwork/networks/:id', {
  summary: 'Add or change an ad network of SKAdNetwork',
  permission: 'exchange.write',
  params: NetworkId,
  body: NetworkInput,
  version: networkVersion,
  response: { 200: envelope(Network) },
});

export const deleteNetwork = endpoint('DELETE /skadnetwork/networks/:id', {
  summary:
    'Remove an ad network of SKAdNetwork with its private key: later postbacks of its ads are not counted',
  permission: 'exchange.write',
  params: NetworkId,
  version: networkVersion,
  response: { 200: envelope(NetworkId) },
});

export const switchNetworkExchange = endpoint('PUT /skadnetwork/exchanges/:slug', {
  summary: 'Sign bids with an exchange for SKAdNetwork, or no longer',
  permission: 'exchange.write',
  params: SspSlug,
  body: SigningSwitch,
  response: { 200: envelope(NetworkExchange) },
});

export const listNetworkApps = endpoint('GET /skadnetwork/apps', {
  summary: 'List iOS apps, and for which of them bids are signed',
  permission: 'company.read',
  query: NetworkAppQuery,
  response: { 200: envelope(NetworkAppList) },
});

export const switchNetworkApp = endpoint('PUT /skadnetwork/apps/:uuid', {
  summary: 'Sign bids for an app for SKAdNetwork, or no longer',
  permission: 'exchange.write',
  body: SigningSwitch,
  response: { 200: envelope(NetworkApp) },
});

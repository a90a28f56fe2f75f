import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { Uuid, envelope } from '../lib/wire.ts';
import {
  Invitation,
  InvitationInput,
  InvitationToken,
  InvitedRegistration,
  NewInvitation,
  OfferedInvitation,
  OwnCompany,
  Person,
  RoleInput,
  personVersion,
} from './people.ts';
import { SessionTokens } from './schema.ts';

const PersonParams = z.object({ user_id: Uuid });

export const listPeople = endpoint('GET /people', {
  companyPermission: 'people.read',
  summary: 'List the people of the company and its open invitations',
  response: { 200: envelope(z.object({ people: z.array(Person), invitations: z.array(Invitation) })) },
});

/** An earlier invitation of the address is revoked. The response is the same whether or not the address has an account. */
export const invite = endpoint('POST /people/invitations', {
  companyPermission: 'people.write',
  summary: 'Invite someone by mail and link; a later invitation of the address replaces it',
  body: InvitationInput,
  response: { 201: envelope(NewInvitation), ...conflict, ...limited },
});

export const revokeInvitation = endpoint('DELETE /people/invitations/:uuid', {
  companyPermission: 'people.remove',
  summary: 'Revoke an invitation',
  response: { 200: envelope(z.object({ revoked: z.literal(true) })) },
});

export const changeRole = endpoint('PATCH /people/:user_id', {
  companyPermission: 'people.write',
  summary: 'Change the role of a person',
  params: PersonParams,
  body: RoleInput,
  version: personVersion,
  response: { 200: envelope(Person), ...conflict },
});

export const removePerson = endpoint('DELETE /people/:user_id', {
  companyPermission: 'people.remove',
  summary: 'Remove a person from the company, whose sessions of it end at once',
  params: PersonParams,
  version: personVersion,
  response: { 200: envelope(z.object({ removed: z.literal(true) })), ...conflict },
});

export const transferOwnership = endpoint('POST /people/:user_id/ownership', {
  companyPermission: 'people.write',
  summary: 'Make another person an owner and oneself an editor',
  params: PersonParams,
  response: { 200: envelope(Person) },
});

export const leaveCompany = endpoint('POST /people/leave', {
  companyPermission: 'membership.write',
  summary: 'Leave the company',
  response: { 200: envelope(z.object({ left: z.literal(true) })), ...conflict },
});

export const listOwnCompanies = endpoint('GET /companies', {
  companyPermission: 'membership.read',
  summary: 'List the companies to which the caller belongs',
  response: { 200: envelope(z.object({ companies: z.array(OwnCompany) })) },
});

export const switchCompany = endpoint('POST /companies/:uuid/session', {
  companyPermission: 'membership.write',
  summary: 'Act for another company: ends the session and starts one for that company',
  response: { 200: envelope(SessionTokens) },
});

export const acceptInvitation = endpoint('POST /companies/invitation', {
  companyPermission: 'membership.write',
  summary: 'Accept an invitation that was sent to the mail address of the caller',
  body: InvitationToken,
  response: { 200: envelope(OwnCompany), ...conflict, ...limited },
});

export const readInvitation = endpoint('POST /invitation', {
  summary: 'Read the invitation of a link',
  isPublic: true,
  body: InvitationToken,
  response: { 200: envelope(OfferedInvitation), ...limited },
});

export const registerInvited = endpoint('POST /invitation/registration', {
  summary: 'Accept an invitation as a new person, whose session begins',
  isPublic: true,
  body: InvitedRegistration,
  response: {
    201: envelope(z.object({ user_id: Uuid, company_id: Uuid })),
    ...conflict,
    ...limited,
  },
});

import { limits } from '../lib/limits.ts';

/** Messages of people, sign-in and API keys for users, some shared by server and console. */
export const accountMessages = {
  loginInvalid: `Login is not valid! It should contain at least ${limits.loginMin} characters`,
  loginAlphabet: 'Login must contain only lowercase latin letters and dots',
  resetLink: 'This link was used or has expired. Request a new one.',
  invitationLink: 'This invitation was used, was revoked or has expired. Ask for a new one.',
  invitationOtherMail: 'This invitation is for a different mail address than the one on your profile.',
  ssoIssuer: 'Enter the address of the issuer: it starts with https:// and has no query',
  ssoSharedIssuer: 'Enter the issuer of your own organization, with its tenant ID in place of “common”',
  ssoDomain: 'Enter a mail domain, such as example.com',
  ssoUnknown: 'Single sign-on is not set up for this address. Log in with your password.',
  ssoState: 'This sign-in has expired, was used, or was started in another browser. Please start again.',
  ssoDenied: 'Your provider did not sign you in.',
  ssoUnavailable: 'Your provider does not respond. Please try again, or ask an owner of your company.',
  ssoRejected:
    'The response of your provider cannot be trusted. Please start again, or ask an owner of your company.',
  ssoMailUnverified:
    'Your provider does not say that your mail address is verified. Ask an owner of your company to have it sent.',
  ssoForeignDomain: 'Your mail address at the provider is not of a domain that your company has proven.',
  ssoNotInvited: 'You do not belong to this company. Ask one of its owners to invite you.',
  ssoLinkFirst:
    'Single sign-on is not linked to your account yet. Log in with your password and link it on your profile.',
  ssoRequired: 'Your company requires single sign-on. Choose “Continue with single sign-on”.',
  ssoInvited:
    'This company requires single sign-on. Choose “Continue with single sign-on” and sign in with the invited address.',
  ssoPasswordNeeded:
    'You signed in by single sign-on of this company. Log out and log in with your password to do this.',
  ssoLinkedToOther: 'This identity at the provider is linked to another person of the company.',
  ssoNotSetUp: 'Your company has no single sign-on.',
  ssoSecretNeeded: 'Enter the client secret',
  ssoOtherIssuer: (issuer: string) => `The provider there names itself ${issuer}: enter that.`,
  ssoNoProvider: 'No provider of OpenID Connect answers at this address',
  ssoDomainFirst: 'Prove a mail domain before you require single sign-on',
  resetNotOffered: 'This server sends no mail. Ask its operator for a one-time password.',
  confirmationsOfDay:
    'This address got several links today. Look for one in its mails, or ask for another tomorrow.',
  confirmationLink: 'This link is no longer valid. Log in and ask for another one on your profile.',
  addressConfirmed: (email: string) => `${email} is confirmed, and gets mails from now on.`,
  passwordTooShort: `Password must be at least ${limits.passwordMin} characters long`,
  profilePasswordTooShort: `Password is not valid! It should contain at least ${limits.passwordMin} characters`,
  passwordCommon: 'This password is one of the most common ones. Please choose another',
  passwordOwn: 'A password must not be your login or your email',
  codeInvalid: 'Enter the six digits of your authenticator app, or a recovery code',
  passkeyResponse: 'This is not a response of a passkey',
  currentPasswordNeeded: 'Please enter your current password',
  mailDomainOfCompany:
    'Your company manages the addresses of this domain through its single sign-on: link your account there, or have an owner invite the address',
  currentPasswordWrong: 'The current password is wrong',
  suspended:
    'Your company is suspended: you can view everything, but not change anything until an operator lifts the suspension.',
  secondFactorRequired:
    'Your company requires a second factor. Set one up on your profile before anything else.',
  ownFactorFirst: 'Set up a second factor of your own first.',
  viewing: 'You are viewing this company as an operator: you can read everything, but not change anything.',
  passwordConfirm: 'Please confirm your password',
  passwordMismatch: "Passwords don't match",
  captcha: 'Please complete the reCAPTCHA verification',
  avatarTooLarge: `A picture may have at most ${limits.avatarBytesMax / 1024 ** 2} MB`,
  logInFirst: 'Please log in.',
  sessionExpired: 'Session expired. Please refresh the page.',
  profileUpdated: 'Profile updated successfully!',
  profileFailed: 'Failed to update profile',
  userIdMissing: 'User ID not found',
  timeZone: 'Not a time zone',
  keyNeedsScope: 'Choose what the key may do',
  keyNeedsExpiry: 'A key that changes something expires within a year',
  confirmFirst: 'Prove that it is you first: enter your password again.',
} as const;

/**
 * Roles of the people of a company: an `owner` does everything, an `editor` everything but moving money and managing people and
 * the company, an `analyst` reads everything, `finance` reads and moves money. See {@link companyRoleHas}.
 */
export const COMPANY_ROLES = ['owner', 'editor', 'analyst', 'finance'] as const;
export type CompanyRole = (typeof COMPANY_ROLES)[number];

const EVERYBODY = COMPANY_ROLES;
const READERS = ['owner', 'editor', 'analyst'] as const;
const EDITORS = ['owner', 'editor'] as const;
const OWNERS = ['owner'] as const;

/**
 * The permissions of the console's API, as `noun.verb`, and the roles of a company's people that have each. The one table of
 * them: an endpoint names the permission that its call needs, and the server looks it up before the route and in the operation
 * itself. The nouns of archivable entities are their kinds.
 */
const ROLES_BY_PERMISSION = {
  'app.read': READERS,
  'app.write': EDITORS,
  'creative.read': READERS,
  'creative.write': EDITORS,
  'creative_group.read': READERS,
  'creative_group.write': EDITORS,
  'target.read': READERS,
  'target.write': EDITORS,
  'audience.read': READERS,
  'audience.write': EDITORS,
  /** Sends the ids of audiences as a measurement partner does. */
  'audience.sync': EDITORS,
  'tracking_link.read': READERS,
  'tracking_link.write': EDITORS,
  'adset.read': READERS,
  'adset.write': EDITORS,
  'campaign.read': READERS,
  'campaign.write': EDITORS,
  /** Comments on campaigns and drafts. */
  'comment.write': READERS,
  /** Asks another person to approve budgets, and decides on the requests of others. */
  'approval.write': EDITORS,
  /** Sets above which budgets a second person has to approve. */
  'approval.rule': OWNERS,
  'file.read': READERS,
  'storage.read': READERS,
  /** Reports and their exports. */
  'report.read': READERS,
  /** Schedules of reports, and the outcome of their reports. */
  'report_schedule.read': READERS,
  'report_schedule.write': EDITORS,
  /** Webhooks and S3 buckets that reports are sent to. */
  'report_destination.write': EDITORS,
  'bid_log.read': READERS,
  /** Balance, transactions, statements and payment instructions. */
  'money.read': EVERYBODY,
  'money.write': ['owner', 'finance'],
  'change.read': READERS,
  'change.undo': EDITORS,
  /** Notifications are of the company, and so is whether they were read. */
  'notification.read': EVERYBODY,
  'notification.write': EVERYBODY,
  /** Channels of alerts and their deliveries. */
  'alert.read': READERS,
  'alert.write': EDITORS,
  /** One's own profile; a colleague's profile also needs `people.read`. */
  'user.read': EVERYBODY,
  'user.write': EVERYBODY,
  /** How one signs in: sessions and second factors. */
  'sign_in.read': EVERYBODY,
  'sign_in.write': EVERYBODY,
  /** The people of the company and its open invitations. */
  'people.read': READERS,
  /** Invites people, changes roles and transfers ownership. */
  'people.write': OWNERS,
  /** Removes people and revokes invitations. */
  'people.remove': OWNERS,
  /** One's own companies. */
  'membership.read': EVERYBODY,
  /** Acts for another company, accepts an invitation, leaves. */
  'membership.write': EVERYBODY,
  /** Name and time zone of the company. */
  'company.write': OWNERS,
  /** The provider of single sign-on and the mail domains; never its secret. */
  'sso.read': OWNERS,
  'sso.write': OWNERS,
  'api_token.read': READERS,
  'api_token.create': EDITORS,
  'api_token.revoke': EDITORS,
  'postbacks.read': READERS,
  'postbacks.write': EDITORS,
  /** Postback addresses with their secret. */
  'postbacks.secret': EDITORS,
  'reference.read': EVERYBODY,
} as const satisfies Record<string, readonly CompanyRole[]>;

/** Permissions of the calls of the console's API. */
export type Permission = keyof typeof ROLES_BY_PERMISSION;

export const PERMISSIONS = Object.keys(ROLES_BY_PERMISSION) as readonly Permission[];

/** The roles whose people have a permission. */
export function rolesWith(permission: Permission): readonly CompanyRole[] {
  return ROLES_BY_PERMISSION[permission];
}

/** Whether the people of a role have a permission. */
export function companyRoleHas(role: CompanyRole, permission: Permission): boolean {
  return rolesWith(permission).includes(role);
}

/** Whether people of a role may give another one: people cannot give a permission that they lack. */
export function mayGiveRole(own: CompanyRole, given: CompanyRole): boolean {
  return PERMISSIONS.every(
    (permission) => !companyRoleHas(given, permission) || companyRoleHas(own, permission),
  );
}

/** Messages of approvals that only the server writes, in responses of the API. */
export const approvalApiMessages = {
  approvalNeeded: (per: 'day' | 'total', amount: string) =>
    `The budgets of this campaign would be above ${amount} ${per === 'day' ? 'a day' : 'in total'}: a second person has to approve that. Request an approval.`,
  approvalNotNeeded: 'This change needs no approval: make it as usual.',
  approvalOpen: 'There is an open request for this campaign already. Withdraw it first.',
  approvalsMax: (max: number) => `A company has at most ${max} open requests for approval.`,
  approvalPeople: 'Approvals need two people who may change campaigns: owners and editors.',
  approvalClosed: 'This request is not open any more.',
  approvalOwn: 'Someone else has to decide on your request.',
  approvalOfOther: 'Only the person who made a request withdraws it.',
  approvalOutdated: 'The campaign was changed since the request was made: it has to be requested again.',
  approvalPersonGone: 'The person who made this request is no longer allowed to make it: request it again.',
  approvedBy: (requester: string, approver: string) => `${requester}, approved by ${approver}`,
} as const;

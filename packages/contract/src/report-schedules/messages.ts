/** Messages of scheduled reports and their destinations for users, some shared by server and console. */
export const reportScheduleMessages = {
  reportMailUnconfirmed: (count: number) =>
    count === 1
      ? 'One person has not confirmed their mail address.'
      : `${count} people have not confirmed their mail addresses.`,
  reportMailsOfDay: (count: number) =>
    count === 1 ? 'One person got too many reports today.' : `${count} people got too many reports today.`,
  unsubscribeReport:
    'You get no more mails of this scheduled report. A person who schedules reports of your company can choose you again.',
  unsubscribedReport: (name: string) => `You get no more mails of “${name}”.`,
  reportDestinations: 'Choose webhooks and buckets of your company',
  reportFileFormat: 'Choose CSV or Parquet: webhooks and buckets get a file',
  reportSecretLost: 'The secret of this destination is lost. Remove it and add it again.',
  reportNotDelivered: (name: string, reason: string) => `“${name}”: ${reason}`,
  reportFailure: {
    private: 'Reports go to https addresses in the public internet only.',
    timeout: 'There was no response in time.',
    unreachable: 'There was no connection.',
  },
  reportWebhookStatus: (status: number) => `The server responded with the status ${status}.`,
  reportTestFile: 'Reports can be stored here.\n',
  s3Url: 'Enter an address that starts with https://, without a path',
  s3Region: 'Enter a region, such as eu-central-1',
  s3Bucket: 'Enter the name of a bucket',
  s3Prefix: 'Use letters, digits, points, hyphens and slashes',
  s3Key: 'Enter a key without spaces',
  s3Refusal: {
    InvalidAccessKeyId: 'S3 does not know the access key.',
    SignatureDoesNotMatch: 'S3 refuses the signature: the secret key is wrong.',
    NoSuchBucket: 'There is no such bucket.',
    AccessDenied: 'The key may not store objects in the bucket: it needs s3:PutObject.',
    AuthorizationHeaderMalformed: 'The bucket is in another region.',
    PermanentRedirect: 'The bucket is in another region or at another address.',
    TemporaryRedirect: 'The bucket is in another region or at another address.',
  } as Readonly<Record<string, string>>,
  s3Status: (status: number, code: string) => `S3 does not store the object: ${`${status} ${code}`.trim()}.`,
  reportContentLong: 'This report has too many filters to be scheduled.',
  reportWeekday: 'Choose the day of a weekly report',
  reportReaders: 'Choose people of your company who may read reports',
  reportNoReaders: 'None of its recipients may still read reports of the company and wants these mails.',
  reportNoMail: 'This server sends no mails.',
  reportMailRefused: (count: number) =>
    count === 1 ? 'The mail server refused one address.' : `The mail server refused ${count} addresses.`,
  reportMailUndeliverable: (count: number) =>
    count === 1
      ? 'The mail server refused one address for good.'
      : `The mail server refused ${count} addresses for good.`,
  reportMailDown: 'The mail server could not be reached, or refused the mail.',
  reportNotMade: 'The report could not be made.',
  reportFileTooLarge: 'The report is too large for a mail. Choose fewer levels or more filters.',
} as const;

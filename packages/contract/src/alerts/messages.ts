/** Messages of alerts, their channels and rules for users, some shared by server and console. */
export const companyAlertMessages = {
  webhookUrl: 'Enter an address that starts with https://, without a user name',
  receiverPrivate:
    'Enter an address on the public internet, on port 443 or 8443. For a host of your own network, ask the operator of this server to list it in ALERT_INTERNAL_HOSTS.',
  telegramToken: 'Enter the token that BotFather gave the bot, such as 123456:ABC…',
  telegramChat: 'Enter the id of the chat, such as -1001234567890, or @name of a channel',
  unsubscribe: 'You get no more alerts of this company by mail. You can choose again in the console.',
  unsubscribed: (company: string) => `You get no more alerts of ${company} by mail.`,
  quietHours: 'Choose two different hours, or none',
  ruleCohortToday: 'Choose whole days: the people of today have no such day yet',
  ruleScope: 'Not found: choose another',
  alertSecretLost: 'The secret of this channel is lost. Remove it and add it again.',
  alertChannelOff: 'The channel is switched off.',
  alertQueueFull: 'Too many alerts wait for this channel.',
  alertTestTitle: 'Test alert',
  alertTestText: (channel: string) => `The channel “${channel}” works.`,
  alertNotSent: 'It could not be sent because of an error on our side.',
  alertFailure: {
    private: 'Alerts go to https addresses in the public internet only.',
    timeout: 'There was no response within 10 seconds.',
    unreachable: 'There was no connection.',
  },
} as const;

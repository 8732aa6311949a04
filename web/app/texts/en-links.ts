import { formatNumber, plural } from './format.ts';

/** The texts about share links. They come with the view that shows them. */
export const linkTexts = {
  intro:
    'A link of its own for each reader. It opens this project even if it is private, until you end it, and counts its own opens.',
  create: 'Create a link',
  name: 'Who is it for?',
  nameHint: 'Your readers do not see this.',
  end: 'Works until',
  endHint: 'Empty: until you delete it.',
  maxOpens: 'Number of opens',
  maxOpensHint:
    'Empty: any number. What one browser views within 30 minutes is one open. Previews of chats and mail scanners use none up.',
  password: 'Password',
  passwordHint: 'Empty: none.',
  downloads: 'Readers may download',
  created: 'Copy the link now. It is shown only once.',
  empty: 'This project has no share links.',
  change: 'Change',
  save: 'Save',
  remove: 'Delete',
  removeTitle: 'Delete this link?',
  removeText: 'It stops working at once, also for readers who have the page open.',
  state: { active: 'Works', expired: 'Expired', 'used-up': 'Used up' },
  opens: (count: number) => plural(count, { one: '1 open', other: `${formatNumber(count)} opens` }),
  used: (used: number, most: number) =>
    `used ${formatNumber(used)} of ${plural(most, { one: '1 time', other: `${formatNumber(most)} times` })}`,
  lastOpened: (when: string) => `last opened ${when}`,
  ends: (when: string) => `until ${when}`,
  withPassword: 'with a password',
  noDownloads: 'without downloads',
  ofVersion: (version: number) => `shows version ${version}`,
};

/** The texts about upload links. They come with the view that shows them. */
export const uploadLinkTexts = {
  title: 'Upload links',
  intro:
    'Anybody who has such a link can upload once, without an account. The result is published as yours, and you get an e-mail. You can also ask several people for files: each upload becomes a project that only you see, until you share it.',
  titleField: 'Title of the project',
  forPrograms: 'For programs',
  create: 'Make an upload link',
  created: 'Copy this link now. It is shown only once.',
  expires: (when: string) => `works until ${when}`,
  madeBy: (name: string) => `made by ${name}`,
  untitled: 'Untitled',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this link?',
  revokeText: 'It stops working at once, even if an upload has begun.',
  empty: 'There is no open upload link.',
  ask: 'Ask people for files',
  askIntro: 'They see your e-mail address and what you write, and never what others send.',
  message: 'What do you need?',
  into: 'Collect them in',
  intoNone: 'A new project for each upload',
  intoHint:
    'A private list of files, such as one file with your instructions. Each upload becomes a folder of it. Needs a paid plan or the trial.',
  closes: 'Open until',
  closesHint: 'At most 90 days away. Empty: one day.',
  maxUploads: 'Number of uploads',
  maxMegabytes: 'Megabytes of one upload',
  maxMegabytesHint: 'Empty: as many as your plan allows.',
  accept: 'Endings of the files',
  acceptHint: 'For example: .pdf .jpg. Empty: all files.',
  askName: 'Senders must give a name',
  askEmail: 'Senders must give an e-mail address',
  receipts: 'Send a receipt to senders who give their address',
  notify: 'Send me an e-mail when files arrive, at most one in an hour',
  isPrivate: 'Only I can see what arrives, until I share it',
  received: (count: number, most: number) =>
    `${formatNumber(count)} of ${plural(most, { one: '1 upload', other: `${formatNumber(most)} uploads` })}`,
  closed: 'Closed',
  closesSoon: 'Closes within a day',
  closedAt: (when: string) => `closed ${when}`,
  senders: 'Who sent files',
  noSenders: 'Nobody has sent files yet.',
  someone: (number: number) => `Sender ${formatNumber(number)}`,
  files: (count: number, size: string) =>
    `${plural(count, { one: '1 file', other: `${formatNumber(count)} files` })}, ${size}`,
  others: (count: number) => `and ${formatNumber(count)} more`,
  more: 'Show more senders',
  look: 'Look at the files',
  remind: 'Copy a reminder',
  reminder: (title: string, when: string) =>
    `Hello, this is a reminder: please send your files for “${title}”. The link that I sent you works until ${when}.`,
};

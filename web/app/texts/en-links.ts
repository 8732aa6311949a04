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
    'Anybody who has such a link can upload once, without an account. The result is published as yours, and you get an e-mail.',
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
};

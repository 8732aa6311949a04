import type { Output } from '../api/contract.ts';
import type { ZipProgress } from '../views/account/account-files.ts';
import { formatBytes, plural } from './format.ts';

/** The mails that owners switch on and off. */
export const mailTexts = {
  title: 'E-mails',
  intro:
    'Which e-mails you get. Codes, and e-mails about the security of your account, always come.',
  kinds: [
    ['opens', 'Somebody opened a project or a link for which you asked to hear of it'],
    ['uploads', 'Files arrived by one of your upload links'],
    ['expiry', 'A project expires in a day'],
    ['trial', 'Your trial ends in three days'],
    ['takedowns', 'The operator took down a project, or suspended your account'],
  ] satisfies [keyof Output<'getMailChoices'>['mails'], string][],
};

/** The export of an account. */
export const exportTexts = {
  title: 'Export',
  files:
    'One ZIP with the files of all your projects as they are live now, a folder for each. Keep this page open until it is done; where the connection breaks, it goes on by itself. For a single project there is a ZIP on its page, under “Files”, and for an earlier version under “Versions”.',
  zip: 'Download everything as a ZIP',
  stop: 'Stop',
  preparing: 'Your files are being listed…',
  zipping: ({ title, bytes, ofBytes }: ZipProgress) =>
    `${formatBytes(bytes)} of about ${formatBytes(Math.max(bytes, ofBytes))}: ${title}`,
  zipped: (bytes: number) => `The ZIP is ready: ${formatBytes(bytes)}.`,
  noFiles: 'You have no files to download.',
  failures: {
    room: {
      what: 'There is not enough room for the ZIP',
      next: 'Free some space on this device, or download one project at a time.',
    },
    browser: {
      what: 'This browser cannot write such a ZIP',
      next: 'Use a newer one, or download one project at a time.',
    },
    day: {
      what: 'That is enough for today',
      next: 'An account can download five times the storage of its plan in a day. Go on tomorrow, or download the projects that you need most one at a time.',
    },
    changed: {
      what: 'A project changed while it was downloaded',
      next: 'Start again, so that the ZIP has its files as they are now.',
    },
    other: {
      what: 'The ZIP could not be finished',
      next: 'Nothing was saved. Check your connection, then start again.',
    },
  },
  forPrograms: 'For programs',
  text: 'All projects, versions and settings as JSON, with links to the files that work for an hour.',
  start: 'Export everything',
  reading: (count: number) =>
    plural(count, { one: '1 project read…', other: `${count} projects read…` }),
};

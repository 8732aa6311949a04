import type { Output } from '../api/contract.ts';
import { plural } from './format.ts';

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
    'Download the files of a project as a ZIP on its page, under “Files”, and those of an earlier version under “Versions”.',
  forPrograms: 'For programs',
  text: 'All projects, versions and settings as JSON, with links to the files that work for an hour.',
  start: 'Export everything',
  reading: (count: number) =>
    plural(count, { one: '1 project read…', other: `${count} projects read…` }),
};

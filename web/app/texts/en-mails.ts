import type { Output } from '../api/contract.ts';

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
  ] satisfies [keyof Output<'getUser'>['mails'], string][],
};

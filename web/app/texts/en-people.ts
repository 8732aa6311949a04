/** The texts about people who prove their address. They come with the fields that show them. */
export const peopleTexts = {
  intro: {
    people: 'These people get a code by e-mail when they open the link. They need no account.',
    identify:
      'Everybody who opens the link enters an e-mail address, and gets a code there. You see who came.',
  },
  people: 'E-mail addresses',
  peopleHint: 'One in each line. @example.com lets everybody with an address of that domain in.',
  denied: 'Never let in',
  deniedHint: 'Addresses or domains, one in each line. Empty: nobody is kept out.',
  save: { people: 'Let these people in', identify: 'Save' },
  came: 'Who has come in',
  nobody: 'Nobody has proved an address yet.',
  more: 'Show more',
  last: (when: string) => `came in ${when}`,
  end: 'End access',
  endOf: (email: string) => `End access of ${email}`,
  endTitle: (email: string) => `End the access of ${email}?`,
  endText:
    'It ends at once, in all of their browsers. They can come in again with a new code, unless you take the address off the list or never let it in.',
};

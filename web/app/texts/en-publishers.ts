/** The texts about trusted publishers. They come with the view that shows them. */
export const publisherTexts = {
  title: 'Trusted publishers',
  intro:
    'A repository at GitHub or GitLab can publish without a stored key: each of its jobs gets a key that works for ten minutes.',
  provider: 'At',
  providers: { github: 'GitHub', gitlab: 'GitLab' },
  repository: 'Repository',
  place: 'For',
  places: { branch: 'One branch', environment: 'One environment', pulls: 'Pull requests' },
  names: { branch: 'Branch', environment: 'Environment' },
  onlyYours: 'Add only repositories whose code you trust. What runs there can publish as you.',
  add: 'Trust it',
  added: 'Now the job needs these lines',
  empty: 'You trust no repository.',
  of: {
    branch: (name: string) => `branch ${name}`,
    environment: (name: string) => `environment ${name}`,
    pulls: 'pull requests',
  },
  remove: 'Remove',
  removeTitle: (name: string) => `Trust ${name} no more?`,
  removeText: 'Its jobs get no keys from now on, and those that they have stop working at once.',
};

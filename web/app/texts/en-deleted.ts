/** The texts about deleted projects. They come with the view that shows them. */
export const deletedTexts = {
  title: 'Deleted projects',
  intro:
    'Deleted projects don’t use your plan, and you can restore them with their address, versions and statistics. Together they may be as large as the storage of your plan: beyond that, those deleted first are removed for good.',
  empty: 'Nothing was deleted lately.',
  until: (day: string) => `can be restored until ${day}`,
  restore: 'Restore',
  restoreOf: (title: string) => `Restore ${title}`,
  otherAddress: 'Another address',
  more: 'Load more',
};

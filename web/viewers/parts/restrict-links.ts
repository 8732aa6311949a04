/**
 * Keeps only links to other sites, which open in a new window without an opener, and links to a
 * place in the same tree.
 */
export function restrictLinks(root: HTMLElement): void {
  for (const link of root.querySelectorAll('a')) {
    const target = link.getAttribute('href') ?? '';
    if (/^(?:https?:\/\/|mailto:)/i.test(target)) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer nofollow';
    } else if (!/^#./.test(target)) {
      link.removeAttribute('href');
    }
  }
  root.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const target = link?.getAttribute('href') ?? '';
    if (!target.startsWith('#')) return;
    // The browser looks for the place in the document, not in a shadow tree.
    event.preventDefault();
    root.querySelector(`[id="${CSS.escape(target.slice(1))}"]`)?.scrollIntoView();
  });
}

import { useEffect } from 'react';

const focusable =
  ':is(h1[tabindex], a[href], summary, :is(button, input, select, textarea):not(:disabled))';

/**
 * Keeps the focus of people who use the keyboard. A browser drops it when its control is disabled while it works,
 * and when it goes, as a row does that is deleted. The control gets it back, or else what is next to it.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element[] = [];
    let beforeDialog: Element[] = [];
    const remember = ({ target }: Event) => {
      const isShown = target instanceof Element && target.matches(':focus-visible');
      last = isShown ? withParents(target) : [];
      const dialog = last.findIndex((one) => one.tagName === 'DIALOG');
      if (dialog === -1) beforeDialog = last;
      else last = [...last.slice(0, dialog + 1), ...beforeDialog];
    };
    const forget = () => (last = []);
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return;
      const kept = last.find((one) => one.isConnected);
      const isControl = kept?.matches(focusable);
      const place = kept?.querySelector('main') ?? kept;
      const next = isControl === true ? kept : place?.querySelector(focusable);
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    });
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}

function withParents(element: Element): Element[] {
  const parent = element.parentElement;
  return parent === null ? [element] : [element, ...withParents(parent)];
}

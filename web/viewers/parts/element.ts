/** The element that a page's own markup always has; anything else is a mistake of ours. */
export function element<T extends Element>(
  selector: string,
  kind: abstract new (...args: never[]) => T,
  within: ParentNode = document,
): T {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${selector}`);
  return found;
}

/** Shows what the page keeps hidden until it is true. */
export function unhide(selector: string): void {
  element(selector, HTMLElement).hidden = false;
}

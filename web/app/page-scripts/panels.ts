/**
 * The element of the page with this id.
 * @throws Error if the page has none
 */
export function at(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element ${id}.`);
  return element;
}

/** The panels of a drop zone: one of them is shown. */
export type Panel = 'pick' | 'sending' | 'choosing' | 'keys' | 'locked' | 'source' | 'live';
const panels: readonly Panel[] = [
  'pick',
  'sending',
  'choosing',
  'keys',
  'locked',
  'source',
  'live',
];

/** Shows one panel in place of the others. */
export function showPanel(shown: Panel): void {
  for (const panel of panels) at(panel).hidden = panel !== shown;
  at('launch').classList.toggle('busy', shown === 'sending');
  at('launch').classList.toggle('afloat', shown === 'live');
}

/** Moves the ship of the page: 0 is ashore, 1 afloat. */
export function moveShip(fraction: number): void {
  at('launch').style.setProperty('--p', String(fraction));
}

/** A button below a message. */
export interface Action {
  text: string;
  run: () => void;
}

/** Shows a message, what to do next, and a button that does it. */
export function showMessage(what: string, next: string, action?: Action): void {
  const box = document.createElement('div');
  const strong = document.createElement('strong');
  strong.textContent = what;
  box.append(strong, next);
  at('said').replaceChildren(box);
  if (action === undefined) return;
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button', textContent: action.text });
  button.addEventListener('click', action.run);
  at('said').append(button);
}

/** Removes the message. */
export function clearMessage(): void {
  at('said').replaceChildren();
}

/** Shows that files are being sent. */
export function showSending(what: string): void {
  clearMessage();
  at('what').textContent = what;
  at('stage').textContent = 'Sending';
  at('progress').setAttribute('value', '0');
  at('cancel').hidden = false;
  showPanel('sending');
  at('cancel').focus({ preventScroll: true });
}

/** Shows which part of the bytes was sent. */
export function showProgress(fraction: number): void {
  at('progress').setAttribute('value', String(fraction * 100));
  moveShip(fraction * 0.9);
}

/** Shows that everything was sent. */
export function showPublishing(): void {
  at('stage').textContent = 'Publishing';
}

/** Shows the link of what was published. */
export function showLink(url: string, title: string, leftOut: string): void {
  at('link').setAttribute('href', url);
  at('link').textContent = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  at('live-title').textContent = title;
  showArrived(leftOut);
}

/** Shows that everything arrived, and what was left out. */
export function showArrived(leftOut: string): void {
  moveShip(1);
  at('left-out').hidden = leftOut === '';
  at('left-out-text').textContent = leftOut;
  showPanel('live');
  at('live-title').focus({ preventScroll: true });
}

/** Lets each button with `data-copy` copy what is in the element that it names. They need this script. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copyText(button));
  }
}

async function copyText(button: HTMLElement): Promise<void> {
  const from = at(button.dataset['copy'] ?? '');
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(from.getAttribute('href') ?? from.textContent);
    button.textContent = 'Copied';
    announce('Copied.');
  } catch {
    getSelection()?.selectAllChildren(from);
    button.textContent = 'Press Ctrl+C';
    announce('Selected. Copy it with your keyboard.');
  }
  setTimeout(() => {
    button.textContent = before;
    announce('');
  }, 2500);
}

/** For screen readers. */
function announce(text: string): void {
  const spoken = document.getElementById('spoken');
  if (spoken !== null) spoken.textContent = text;
}

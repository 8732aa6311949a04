import type { SecretFinding } from '../../../contract/errors.ts';
import type { UploadChoices as Choices, UploadQuestion } from '../upload/upload-state.ts';
import { at, moveShip, showPanel } from './panels.ts';

/** Takes the answer to the question that is shown. */
let take: (choice: Choices) => void = () => undefined;

/** Lets the buttons below the questions answer them. */
export function startQuestions(): void {
  at('as-file').addEventListener('click', () => take({ asFileBundle: true }));
  at('as-source').addEventListener('click', () => take({}));
  at('anyway').addEventListener('click', () => take({ allowSecrets: true }));
  at('chosen').addEventListener('click', () => {
    const path = at('paths').querySelector<HTMLInputElement>('input:checked')?.value ?? '';
    take(path === '' ? { asFileBundle: true } : { zipIndexHtmlPath: path });
  });
}

/** Asks what a person has to decide before the files are published. */
export function ask(question: UploadQuestion, answer: (choice: Choices) => void): void {
  take = answer;
  moveShip(0);
  switch (question.kind) {
    case 'home':
      askForStartPage(question.htmlPaths);
      break;
    case 'keys':
      askAboutKeys(question);
      break;
    case 'locked':
    case 'source':
      showPanel(question.kind);
      at(`${question.kind}-title`).focus({ preventScroll: true });
  }
}

function askAboutKeys({ findings, count }: Extract<UploadQuestion, { kind: 'keys' }>): void {
  const more = count - findings.length;
  const places = [...findings.map(placeOfKey), ...(more > 0 ? [place(`And ${more} more`)] : [])];
  at('places').replaceChildren(...places);
  showPanel('keys');
  at('keys-title').focus({ preventScroll: true });
}

function placeOfKey({ path, line, kind }: SecretFinding): HTMLElement {
  return place(path, `, line ${line}: ${kind.replaceAll('-', ' ')}`);
}

function place(path: string, detail = ''): HTMLElement {
  const item = document.createElement('li');
  const name = document.createElement('bdi');
  name.textContent = path;
  item.append(name, detail);
  return item;
}

function askForStartPage(paths: readonly string[]): void {
  const options = paths.map((path, index) => startPageOption(path, path, index === 0));
  at('paths').replaceChildren(
    ...options,
    startPageOption('', 'No start page: list the files', false),
  );
  showPanel('choosing');
  at('paths').querySelector('input')?.focus({ preventScroll: true });
}

function startPageOption(value: string, text: string, checked: boolean): HTMLElement {
  const label = document.createElement('label');
  const input = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'start',
    value,
    checked,
  });
  const name = document.createElement('bdi');
  label.className = 'option';
  name.textContent = text;
  label.append(input, name);
  return label;
}

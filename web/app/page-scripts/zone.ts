import { formatBytes } from '../../pages/parts/format.ts';
import { ApiError } from '../api/api-error.ts';
import { describeRefusal } from '../api/describe-refusal.ts';
import { chosenFiles, droppedFiles } from '../upload/dropped-files.ts';
import { type Picked, picked, withLeftOut } from '../upload/picked.ts';
import { leftOutOf, questionOf } from '../upload/upload-state.ts';
import {
  at,
  clearMessage,
  moveShip,
  showLink,
  showMessage,
  showPanel,
  showSending,
} from './panels.ts';
import { ask, type Choices, startQuestions } from './questions.ts';
import { prepareForm, type Published, type Send } from './send-form.ts';
import { filesText, leftOutText } from './texts.ts';

/** What differs between the pages that have a drop zone. */
export interface ZonePage {
  /** Stands above the link of what was published. */
  title: string;
  /** Whether the page accepts only one upload. */
  publishesOnce: boolean;
  onPublished?: (published: Published) => void;
}

/** What was picked last: it can be published again with what was left out. */
let last: Picked = picked([]);
let isBusy = false;
/** Stops what is being sent. */
let stop = new AbortController();

/** Lets the drop zone of the page publish what is dropped on the page or chosen. */
export function startZone(page: ZonePage): void {
  const zone = at('launch');
  const take = (files: Picked, choices: Choices = checkedChoices()) =>
    void publish(page, files, choices);
  for (const id of ['files', 'folder']) takeChosen(id, take);
  takeDropped(zone, take);
  startQuestions();
  at('cancel').addEventListener('click', () => stop.abort());
  for (const button of document.querySelectorAll('#back, #withdraw, #again')) {
    button.addEventListener('click', startOver);
  }
  zone.addEventListener('submit', (event) => event.preventDefault());
  document
    .getElementById('publish-hidden')
    ?.addEventListener('click', () => take(last, { includeHidden: true }));
  document.documentElement.classList.add('scripted');
  for (const part of document.querySelectorAll<HTMLElement>('.with-script')) part.hidden = false;
  for (const part of document.querySelectorAll<HTMLElement>('.without-script')) part.hidden = true;
  if (!('webkitdirectory' in at('folder'))) at('folder-label').hidden = true;
}

/** The choices of the form's own checkboxes. */
function checkedChoices(): Choices {
  const box = document.querySelector<HTMLInputElement>('#launch [name=includeHidden]');
  return box?.checked === true ? { includeHidden: true } : {};
}

type Take = (files: Picked) => void;

function takeChosen(id: string, take: Take): void {
  const input = at(id);
  if (!(input instanceof HTMLInputElement)) throw new Error(`${id} is no field for files.`);
  input.addEventListener('change', () => {
    const files = picked(chosenFiles(input.files ?? []));
    input.value = '';
    take(files);
  });
}

function takeDropped(zone: HTMLElement, take: Take): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const mark = (event: DragEvent) => {
    const isOver = event.type === 'dragover' && hasFiles(event);
    if (isOver) event.preventDefault();
    zone.classList.toggle('over', isOver && !isBusy);
  };
  for (const type of ['dragover', 'dragleave', 'drop'] as const) {
    document.addEventListener(type, mark);
  }
  document.addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    if (dataTransfer === null || !hasFiles(event)) return;
    event.preventDefault();
    droppedFiles(dataTransfer).then(take, () =>
      refuse('A file could not be read.', 'Choose it with the buttons instead.'),
    );
  });
}

async function publish(page: ZonePage, files: Picked, choices: Choices): Promise<void> {
  if (isBusy) return;
  const sent = choices.includeHidden === true ? withLeftOut(files) : files;
  const problem = problemOf(sent);
  if (problem !== undefined) {
    refuse(...problem);
    return;
  }
  isBusy = true;
  last = files;
  try {
    const delivery = await prepare(page, sent, choices);
    await deliver(delivery, choices);
  } catch {
    refuse('A file could not be read.', 'Choose the files again.');
  }
}

function bytesOf({ files }: Picked): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

function limit(name: 'maxEntries' | 'maxBytes' | 'maxUrls' | 'maxInline'): number {
  return Number(at('launch').dataset[name] ?? Number.POSITIVE_INFINITY);
}

/** Why files cannot be sent from here, and what to do next. */
function problemOf(sent: Picked): [what: string, next: string] | undefined {
  const { length } = sent.files;
  if (length === 0) return ['No files were found.', 'Choose files, a folder or a ZIP.'];
  if (length > limit('maxEntries')) {
    const most = `You can publish at most ${limit('maxEntries')} at once.`;
    return [`That is ${filesText(length)}.`, most];
  }
  if (bytesOf(sent) > limit('maxBytes')) {
    const what = `That is more than ${formatBytes(limit('maxBytes'))}.`;
    return [what, 'Remove some files, or make them smaller.'];
  }
  if (bytesOf(sent) > limit('maxInline') && length > limit('maxUrls')) {
    return [`That is ${filesText(length)}.`, 'Put them into one ZIP and choose that.'];
  }
  return undefined;
}

interface Delivery {
  page: ZonePage;
  sent: Picked;
  /** What is sent, in words; empty if `send` shows it by itself. */
  what: string;
  send: Send;
}

/** Files that are too large for one request go straight into storage. */
async function prepare(page: ZonePage, sent: Picked, choices: Choices): Promise<Delivery> {
  const bytes = bytesOf(sent);
  if (bytes <= limit('maxInline')) {
    const what = `${filesText(sent.files.length)}, ${formatBytes(bytes)}`;
    return { page, sent, what, send: await prepareForm(sent.files, choices) };
  }
  const { storageSender } = await import('./send-to-storage.ts');
  const link = at('launch').dataset['to']?.split('/').at(-1) ?? '';
  return { page, sent, what: '', send: storageSender(link, sent.files) };
}

/** Sends, and asks what a person has to decide; the answer is sent with the same files. */
async function deliver(delivery: Delivery, choices: Choices): Promise<void> {
  const { page, sent, what, send } = delivery;
  isBusy = true;
  stop = new AbortController();
  showSending(what);
  try {
    const published = await send(choices, stop.signal);
    const { url, warnings } = published.data;
    clearMessage();
    showLink(url, page.title, leftOutText(leftOutOf(sent, warnings)));
    isBusy = page.publishesOnce;
    page.onPublished?.(published);
  } catch (error) {
    const question = error instanceof ApiError ? questionOf(error) : undefined;
    if (question === undefined) {
      refuse(...reasonOf(error));
      return;
    }
    isBusy = false;
    ask(question, (choice) => void deliver(delivery, { ...choices, ...choice }));
  }
}

function reasonOf(error: unknown): [what: string, next: string] {
  if (stop.signal.aborted) return ['Cancelled.', 'Nothing was published.'];
  if (!(error instanceof ApiError)) {
    return ['The connection was lost.', 'Check your network, then try again.'];
  }
  const { what, next } = describeRefusal(error);
  return [what, next];
}

function refuse(what: string, next: string): void {
  startOver();
  showMessage(what, next);
}

function startOver(): void {
  isBusy = false;
  clearMessage();
  moveShip(0);
  showPanel('pick');
  at('files').focus({ preventScroll: true });
}

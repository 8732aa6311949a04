import { formatBytes } from '../../pages/parts/format.ts';
import { ApiError, isRateLimited } from '../api/api-error.ts';
import { describeRefusal } from '../api/describe-refusal.ts';
import { chosenFiles, droppedFiles } from '../upload/dropped-files.ts';
import { isSourceFolder, loosePages, type Picked, picked, withLeftOut } from '../upload/picked.ts';
import { leftOutOf, questionOf } from '../upload/upload-state.ts';
import {
  type Action,
  at,
  clearMessage,
  moveShip,
  showLink,
  showMessage,
  showPanel,
  showSending,
} from './panels.ts';
import { ask, startQuestions } from './questions.ts';
import { type Choices, prepareForm, type Published, type Send } from './send-form.ts';
import { showReceipt } from './receipt.ts';
import { delay } from '../upload/send-part.ts';
import { filesText, leftOutText, leftText } from './texts.ts';
import { bytesOf, limit, type Problem, problemOf } from './upload-limits.ts';

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
  for (const button of document.querySelectorAll(
    '#back, #withdraw, #again, #other-folder, #other-zip',
  )) {
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

/** The choices of the form's own fields. */
function checkedChoices(): Choices {
  const field = (name: string) =>
    document.querySelector<HTMLInputElement>(`#launch [name=${name}]`) ?? undefined;
  const senderName = field('senderName')?.value.trim();
  const senderEmail = field('senderEmail')?.value.trim();
  return {
    ...(field('includeHidden')?.checked === true && { includeHidden: true }),
    ...(senderName && { senderName }),
    ...(senderEmail && { senderEmail }),
  };
}

/** The first field about the sender that is not filled in as it must be. */
function unfilledField(): HTMLInputElement | undefined {
  const fields = document.querySelectorAll<HTMLInputElement>('#launch .field input[id^=sender]');
  return [...fields].find((field) => !field.checkValidity());
}

/** What has to be done with the field; the browser's own sentence names no field. */
function lackOf({ labels, validity, validationMessage }: HTMLInputElement): string {
  const [label] = labels ?? [];
  return validity.valueMissing && label !== undefined
    ? `Fill in “${label.textContent.trim()}”, then press “Send”.`
    : validationMessage;
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
  last = files;
  const unfilled = unfilledField();
  if (unfilled !== undefined) {
    const run = () => void publish(page, files, { ...choices, ...checkedChoices() });
    showMessage('Your files are not sent yet.', lackOf(unfilled), { text: 'Send', run });
    unfilled.reportValidity();
    return;
  }
  isBusy = true;
  try {
    const go = async (chosen: Choices) =>
      deliver(await prepare(page, sent, choices), { ...choices, ...chosen });
    // Nobody sees the files of a request as a site.
    const htmlPaths = document.getElementById('receipt') === null ? loosePages(sent) : [];
    if (await isSourceFolder(sent)) ask({ kind: 'source' }, (chosen) => void go(chosen));
    else if (htmlPaths.length > 0) ask({ kind: 'home', htmlPaths }, (chosen) => void go(chosen));
    else await go({});
  } catch {
    refuse('A file could not be read.', 'Choose the files again.');
  }
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
  return { page, sent, what: '', send: storageSender(linkToken(), sent.files) };
}

/** The token of the page's upload link. */
export function linkToken(): string {
  return at('launch').dataset['to']?.split('/').at(-1) ?? '';
}

/** Sends, and asks what a person has to decide; the answer is sent with the same files. */
async function deliver(delivery: Delivery, choices: Choices): Promise<void> {
  const { page, sent, what, send } = delivery;
  isBusy = true;
  stop = new AbortController();
  showSending(what);
  try {
    const published = await sendWhenAllowed(() => send(choices, stop.signal), what);
    clearMessage();
    if ('receipt' in published.data)
      showReceipt(published.data.receipt, leftOutText(leftOutOf(sent, undefined)));
    else {
      const { url, warnings } = published.data;
      showLink(url, page.title, leftOutText(leftOutOf(sent, warnings)));
    }
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

/** Sends; at a rate limit the files stay, and are sent when the time is over. */
async function sendWhenAllowed(send: () => Promise<Published>, what: string): Promise<Published> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isRateLimited(error) || stop.signal.aborted) throw error;
      at('stage').textContent = 'Your files wait here';
      await untilOver(error.receivedAt + error.retryAfterSeconds * 1000, (left) => {
        at('what').textContent =
          `Without an account, only a few uploads are allowed in a while. Sent in ${leftText(left)}.`;
      });
      if (stop.signal.aborted) throw error;
      showSending(what);
    }
  }
}

/** Calls back every second until a time in milliseconds since 1970, or until somebody cancels. */
async function untilOver(endsAt: number, show: (leftMs: number) => void): Promise<void> {
  for (let left = endsAt - Date.now(); left > 0; left = endsAt - Date.now()) {
    if (stop.signal.aborted) return;
    show(left);
    await delay(Math.min(left, 500));
  }
}

function reasonOf(error: unknown): Problem {
  if (stop.signal.aborted) return ['Cancelled.', 'Nothing was published.'];
  if (!(error instanceof ApiError)) {
    return ['The connection was lost.', 'Check your network, then try again.'];
  }
  const { what, next } = describeRefusal(error);
  return [what, next];
}

function refuse(what: string, next: string, action?: Action): void {
  startOver();
  showMessage(what, next, action);
}

function startOver(): void {
  isBusy = false;
  clearMessage();
  moveShip(0);
  showPanel('pick');
  at('files').focus({ preventScroll: true });
}

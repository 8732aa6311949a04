import { readLock, unlock } from './unlock-office.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The document in a locked file, when somebody has entered its password; any other file as it is. */
export async function unlocked(bytes: Bytes, stage: HTMLElement): Promise<Bytes> {
  const lock = readLock(bytes);
  if (lock === undefined) return bytes;
  const { form, field, answer } = passwordForm();
  const loading = document.querySelector<HTMLElement>('[data-loading]');
  if (loading !== null) loading.hidden = true;
  stage.before(form);
  field.focus();
  const opened = await new Promise<Bytes>((resolve, reject) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer.value = 'Opening …';
      unlock(lock, field.value).then((document) => {
        if (document !== undefined) return resolve(document);
        answer.value = 'This password is wrong.';
        field.select();
      }, reject);
    });
  }).finally(() => form.remove());
  if (loading !== null) loading.hidden = false;
  return opened;
}

function passwordForm() {
  const form = document.createElement('form');
  form.className = 'fault';
  const label = document.createElement('label');
  const title = document.createElement('strong');
  title.textContent = 'This document needs a password';
  const field = document.createElement('input');
  field.type = 'password';
  field.autocomplete = 'off';
  field.required = true;
  field.style.cssText = 'min-height:2.75rem;padding:0 .75rem;font:inherit';
  label.append(title, field);
  const note = document.createElement('p');
  note.textContent = 'It is opened in your browser; the password is sent nowhere.';
  const button = document.createElement('button');
  button.className = 'button';
  button.textContent = 'Open';
  const answer = document.createElement('output');
  answer.setAttribute('role', 'alert');
  form.append(label, ' ', button, note, answer);
  return { form, field, answer };
}

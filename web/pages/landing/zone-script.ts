import { droppedFilesScript } from './dropped-files-script.ts';
import { packScript } from './pack-script.ts';

/**
 * What the scripts of pages with a drop zone share: files by drop or choice, one request, its
 * refusals, the choice of a start page, the link. The page's own script declares `deliver(parcel)`,
 * which sends files that fit its limits, and `launched(data, date)`, which shows what came of it.
 *
 * Everything that came from outside is written with `textContent`.
 */
export const zoneScript = String.raw`
${packScript}
${droppedFilesScript}
const at = (id) => document.getElementById(id);
const zone = at('launch');
const panels = ['pick', 'sending', 'choosing', 'live'].map(at);
const limit = (name) => Number(zone.dataset[name]);
const requests = new Set();
let busy = false;

function show(id) {
  for (const panel of panels) panel.hidden = panel.id !== id;
  zone.classList.toggle('busy', id === 'sending');
  zone.classList.toggle('afloat', id === 'live');
}

function move(fraction) {
  zone.style.setProperty('--p', String(fraction));
}

function say(what, next) {
  const box = document.createElement('div');
  const strong = document.createElement('strong');
  strong.textContent = what;
  box.append(strong, next || '');
  at('said').replaceChildren(box);
}

function reset() {
  busy = false;
  move(0);
  show('pick');
  at('files').focus({ preventScroll: true });
}

function refuse(what, next) {
  reset();
  say(what, next);
}

function launch(picked) {
  if (busy) return;
  const { folder, files } = tidy(picked);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) return refuse('There was no file in that.', 'Choose files, a folder or a ZIP.');
  if (files.length > limit('maxEntries')) {
    return refuse('That is ' + files.length + ' files.', 'At most ' + limit('maxEntries') + ' can be published at once.');
  }
  if (total > limit('maxBytes')) {
    return refuse('That is more than ' + sizeText(limit('maxBytes')) + '.', 'Leave something out, or make the files smaller.');
  }
  busy = true;
  deliver({ folder, files, total, what: filesText(files.length) + ', ' + sizeText(total) });
}

async function deliverForm(parcel) {
  let form;
  try {
    form = await formOf(parcel);
  } catch {
    return refuse('A file could not be read.', 'Choose the files again.');
  }
  send(form, parcel.what);
}

async function formOf({ folder, files }) {
  const isPacked = files.length > limit('maxParts');
  const parts = isPacked
    ? [[new Blob(await pack(files), { type: 'application/zip' }), (folder || 'files') + '.zip']]
    : files.map(({ path, file }) => [file, path]);
  const start = isPacked && files.some(({ path }) => path === 'index.html') ? { zipIndexHtmlPath: 'index.html' } : {};
  return (choice = start) => {
    const body = new FormData();
    for (const [file, name] of parts) body.append('files', file, name);
    for (const [name, value] of Object.entries(choice)) body.append(name, value);
    return body;
  };
}

async function pack(files) {
  return zipParts(await Promise.all(files.map(async ({ path, file }) =>
    ({ path, bytes: new Uint8Array(await file.arrayBuffer()) }))));
}

function begin(what) {
  busy = true;
  at('said').replaceChildren();
  at('what').textContent = what;
  at('stage').textContent = 'Sending';
  at('progress').value = 0;
  at('cancel').hidden = false;
  show('sending');
  at('cancel').focus({ preventScroll: true });
}

function progress(fraction) {
  at('progress').value = fraction * 100;
  move(fraction * 0.9);
}

function send(form, what, choice) {
  begin(what);
  const told = ({ loaded, total }) => {
    progress(loaded / total);
    if (loaded === total) at('stage').textContent = 'Publishing';
  };
  transfer(zone.dataset.verb || 'POST', zone.dataset.to || zone.action, form(choice), told)
    .then((done) => answered(done, (choice) => send(form, what, choice)), lost);
}

function transfer(method, url, body, told) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    requests.add(request);
    request.onloadend = () => requests.delete(request);
    request.open(method, url);
    request.setRequestHeader('Accept', 'application/json');
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    if (told) request.upload.onprogress = told;
    request.onload = () => resolve(request);
    request.onerror = () => reject('broken');
    request.onabort = () => reject('cancelled');
    request.send(body);
  });
}

function lost(why) {
  if (why === 'cancelled') refuse('Cancelled.', 'Nothing was published.');
  else refuse('The connection broke.', 'Check your network and send it again.');
}

function answered(done, again) {
  const answer = read(done.responseText);
  if (answer.status === 'success') return launched(answer.data, done.getResponseHeader('Date'));
  if (answer.code === 'ZIP_MULTIPLE_HTML') return choose(answer.htmlPaths, again);
  refuse(String(answer.error || 'The service gave no answer that makes sense (' + done.status + ').'), nextOf(answer));
}

function nextOf(answer) {
  const wait = String(answer.retryAfterSeconds) + ' seconds';
  const next = String(answer.nextStep || 'Try again in a minute.');
  return next.replaceAll('\x60retryAfterSeconds\x60', wait).replaceAll('\x60', '');
}

function read(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function choose(paths, again) {
  busy = false;
  move(0);
  at('paths').replaceChildren(...paths.map((path, index) => option(path, path, index === 0)),
    option('', 'No start page: list the files', false));
  show('choosing');
  at('paths').querySelector('input').focus({ preventScroll: true });
  at('chosen').onclick = () => {
    const { value } = at('paths').querySelector('input:checked');
    again(value === '' ? { asFileBundle: 'true' } : { zipIndexHtmlPath: value });
  };
}

function option(value, text, checked) {
  const label = document.createElement('label');
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'start', value, checked });
  const name = document.createElement('bdi');
  label.className = 'option';
  name.textContent = text;
  label.append(input, name);
  return label;
}

function showLink(url, title) {
  move(1);
  at('link').href = url;
  at('link').textContent = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  show('live');
  at('live-title').textContent = title;
  at('live-title').focus({ preventScroll: true });
}

async function copy(button) {
  const from = at(button.dataset.copy);
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(from.getAttribute('href') || from.textContent);
    button.textContent = 'Copied';
    at('spoken').textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(from);
    button.textContent = 'Press Ctrl+C';
    at('spoken').textContent = 'Selected. Copy it with your keyboard.';
  }
  setTimeout(() => { button.textContent = before; at('spoken').textContent = ''; }, 2500);
}

function hover(event) {
  const holds = event.type === 'dragover' && event.dataTransfer.types.includes('Files');
  if (holds) event.preventDefault();
  zone.classList.toggle('over', holds && !busy);
}

for (const id of ['files', 'folder']) {
  at(id).onchange = () => { launch(plain(at(id).files)); at(id).value = ''; };
}
for (const type of ['dragover', 'dragleave', 'drop']) document.addEventListener(type, hover);
document.addEventListener('drop', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  dropped(event.dataTransfer).then(launch, () => refuse('A file could not be read.', 'Choose it with the buttons instead.'));
});
for (const button of document.querySelectorAll('[data-copy]')) button.onclick = () => copy(button);
at('cancel').onclick = () => { for (const request of requests) request.abort(); };
at('back').onclick = () => { at('said').replaceChildren(); reset(); };
zone.onsubmit = (event) => event.preventDefault();
document.documentElement.classList.add('scripted');
for (const part of document.querySelectorAll('.with-script')) part.hidden = false;
for (const part of document.querySelectorAll('.without-script')) part.hidden = true;
if (!('webkitdirectory' in at('folder'))) at('folder-label').hidden = true;
`;

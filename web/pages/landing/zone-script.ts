import { droppedFilesScript } from './dropped-files-script.ts';
import { packScript } from './pack-script.ts';

/**
 * The script that pages with a drop zone share: dropped or chosen files, the request, its errors, the
 * choice of a start page, the link. The page's own script declares `deliver(parcel)`,
 * which sends files that fit its limits, and `showPublished(data, retry, date)`, which shows the result.
 *
 * All text from files and responses is written with `textContent`.
 */
export const zoneScript = String.raw`
${packScript}
${droppedFilesScript}
const at = (id) => document.getElementById(id);
const zone = at('launch');
const panels = ['pick', 'sending', 'choosing', 'keys', 'live'].map(at);
const limit = (name) => Number(zone.dataset[name]);
const requests = new Set();
let busy = false;
let sent = { picked: [], leftOut: [] };

function showPanel(id) {
  for (const panel of panels) panel.hidden = panel.id !== id;
  zone.classList.toggle('busy', id === 'sending');
  zone.classList.toggle('afloat', id === 'live');
}

function moveProgress(fraction) {
  zone.style.setProperty('--p', String(fraction));
}

function showMessage(what, next) {
  const box = document.createElement('div');
  const strong = document.createElement('strong');
  strong.textContent = what;
  box.append(strong, next || '');
  at('said').replaceChildren(box);
}

function reset() {
  busy = false;
  moveProgress(0);
  showPanel('pick');
  at('files').focus({ preventScroll: true });
}

function refuse(what, next) {
  reset();
  showMessage(what, next);
}

function publish(picked, includeHidden = zone.elements.includeHidden?.checked) {
  if (busy) return;
  const { folder, files, leftOut } = withoutHidden(picked, includeHidden);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) return refuse('No files were found.', 'Choose files, a folder or a ZIP.');
  if (files.length > limit('maxEntries')) {
    return refuse('That is ' + files.length + ' files.', 'You can publish at most ' + limit('maxEntries') + ' at once.');
  }
  if (total > limit('maxBytes')) {
    return refuse('That is more than ' + sizeText(limit('maxBytes')) + '.', 'Remove some files, or make them smaller.');
  }
  busy = true;
  sent = { picked, leftOut };
  const options = includeHidden ? { includeHidden: 'true' } : {};
  deliver({ folder, files, total, options, what: filesText(files.length) + ', ' + sizeText(total) });
}

async function deliverForm(parcel) {
  let form;
  try {
    form = await formBuilder(parcel);
  } catch {
    return refuse('A file could not be read.', 'Choose the files again.');
  }
  send(form, parcel.what);
}

async function formBuilder({ folder, files, options }) {
  const isPacked = files.length > limit('maxParts');
  const parts = isPacked
    ? [[new Blob(await pack(files), { type: 'application/zip' }), (folder || 'files') + '.zip']]
    : files.map(({ path, file }) => [file, path]);
  const home = folder === '' ? 'index.html' : folder + '/index.html';
  const start = isPacked && files.some(({ path }) => path === home) ? { zipIndexHtmlPath: home } : {};
  return (choice) => {
    const body = new FormData();
    for (const [file, name] of parts) body.append('files', file, name);
    for (const [name, value] of Object.entries({ ...start, ...options, ...choice })) body.append(name, value);
    return body;
  };
}

async function pack(files) {
  return zipParts(await Promise.all(files.map(async ({ path, file }) =>
    ({ path, bytes: new Uint8Array(await file.arrayBuffer()) }))));
}

function showSending(what) {
  busy = true;
  at('said').replaceChildren();
  at('what').textContent = what;
  at('stage').textContent = 'Sending';
  at('progress').value = 0;
  at('cancel').hidden = false;
  showPanel('sending');
  at('cancel').focus({ preventScroll: true });
}

function showProgress(fraction) {
  at('progress').value = fraction * 100;
  moveProgress(fraction * 0.9);
}

function send(form, what, choice) {
  showSending(what);
  const onProgress = ({ loaded, total }) => {
    showProgress(loaded / total);
    if (loaded === total) at('stage').textContent = 'Publishing';
  };
  transfer(zone.dataset.verb || 'POST', zone.dataset.to || zone.action, form(choice), onProgress)
    .then((done) => handleResponse(done, (more) => send(form, what, { ...choice, ...more })), handleFailure);
}

function transfer(method, url, body, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    requests.add(request);
    request.onloadend = () => requests.delete(request);
    request.open(method, url);
    request.setRequestHeader('Accept', 'application/json');
    if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
    if (onProgress) request.upload.onprogress = onProgress;
    request.onload = () => resolve(request);
    request.onerror = () => reject('broken');
    request.onabort = () => reject('cancelled');
    request.send(body);
  });
}

function handleFailure(reason) {
  if (reason === 'cancelled') refuse('Cancelled.', 'Nothing was published.');
  else refuse('The connection was lost.', 'Check your network, then try again.');
}

function handleResponse(done, retry) {
  const answer = parseJson(done.responseText);
  if (answer.status === 'success') return showPublished(answer.data, retry, done.getResponseHeader('Date'));
  handleRefusal(answer, retry, done.status);
}

function handleRefusal(answer, retry, status) {
  if (answer.code === 'ZIP_MULTIPLE_HTML') return chooseStartPage(answer.htmlPaths, retry);
  if (answer.code === 'SECRETS_FOUND') return askAboutKeys(answer, retry);
  refuse(String(answer.error || 'The service sent an unexpected response (' + status + ').'), nextStepOf(answer));
}

function askAboutKeys({ findings, count }, retry) {
  busy = false;
  moveProgress(0);
  const more = count > findings.length ? [placeOfKey({ path: 'And ' + (count - findings.length) + ' more' })] : [];
  at('places').replaceChildren(...findings.map(placeOfKey), ...more);
  showPanel('keys');
  at('keys-title').focus({ preventScroll: true });
  at('anyway').onclick = () => retry({ allowSecrets: 'true' });
}

function placeOfKey({ path, line, kind }) {
  const place = document.createElement('li');
  const name = document.createElement('bdi');
  name.textContent = path;
  place.append(name, kind ? ', line ' + line + ': ' + kind.replaceAll('-', ' ') : '');
  return place;
}

function nextStepOf(answer) {
  const wait = String(answer.retryAfterSeconds) + ' seconds';
  const next = String(answer.nextStep || 'Try again in a minute.');
  return next.replaceAll('\x60retryAfterSeconds\x60', wait).replaceAll('\x60', '');
}

function parseJson(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function chooseStartPage(paths, retry) {
  busy = false;
  moveProgress(0);
  at('paths').replaceChildren(...paths.map((path, index) => startPageOption(path, path, index === 0)),
    startPageOption('', 'No start page: list the files', false));
  showPanel('choosing');
  at('paths').querySelector('input').focus({ preventScroll: true });
  at('chosen').onclick = () => {
    const { value } = at('paths').querySelector('input:checked');
    retry(value === '' ? { asFileBundle: 'true' } : { zipIndexHtmlPath: value });
  };
}

function startPageOption(value, text, checked) {
  const label = document.createElement('label');
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'start', value, checked });
  const name = document.createElement('bdi');
  label.className = 'option';
  name.textContent = text;
  label.append(input, name);
  return label;
}

function showLink(url, title, warnings) {
  moveProgress(1);
  const left = leftOutText(sent.leftOut, warnings);
  at('left-out').hidden = left === '';
  at('left-out-text').textContent = left;
  at('link').href = url;
  at('link').textContent = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  showPanel('live');
  at('live-title').textContent = title;
  at('live-title').focus({ preventScroll: true });
}

async function copyText(button) {
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

function markDropZone(event) {
  const hasFiles = event.type === 'dragover' && event.dataTransfer.types.includes('Files');
  if (hasFiles) event.preventDefault();
  zone.classList.toggle('over', hasFiles && !busy);
}

for (const id of ['files', 'folder']) {
  at(id).onchange = () => { publish(chosenFiles(at(id).files)); at(id).value = ''; };
}
for (const type of ['dragover', 'dragleave', 'drop']) document.addEventListener(type, markDropZone);
document.addEventListener('drop', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  droppedFiles(event.dataTransfer).then(publish, () => refuse('A file could not be read.', 'Choose it with the buttons instead.'));
});
for (const button of document.querySelectorAll('[data-copy]')) button.onclick = () => copyText(button);
at('cancel').onclick = () => { for (const request of requests) request.abort(); };
for (const id of ['back', 'withdraw']) at(id).onclick = () => { at('said').replaceChildren(); reset(); };
zone.onsubmit = (event) => event.preventDefault();
document.documentElement.classList.add('scripted');
for (const part of document.querySelectorAll('.with-script')) part.hidden = false;
for (const part of document.querySelectorAll('.without-script')) part.hidden = true;
if (!('webkitdirectory' in at('folder'))) at('folder-label').hidden = true;
`;

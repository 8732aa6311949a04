import { packScript } from './pack-script.ts';

/**
 * The landing page's script: takes files by drop or choice, sends them, shows the link.
 *
 * Everything that came from outside is written with `textContent`. Without this script the form
 * still works and answers JSON.
 */
export const landingScript = String.raw`(() => {
'use strict';
${packScript}
const at = (id) => document.getElementById(id);
const zone = at('launch');
const panels = ['pick', 'sending', 'choosing', 'live'].map(at);
const limit = (name) => Number(zone.dataset[name]);
let request;
let clock;

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

function refuse(what, next) {
  move(0);
  show('pick');
  at('files').focus({ preventScroll: true });
  say(what, next);
}

async function launch(picked) {
  if (request) return;
  const { folder, files } = tidy(picked);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (files.length === 0) return refuse('There was no file in that.', 'Choose files, a folder or a ZIP.');
  if (files.length > limit('maxEntries')) {
    return refuse('That is ' + files.length + ' files.', 'At most ' + limit('maxEntries') + ' can be published at once.');
  }
  if (total > limit('maxBytes')) {
    return refuse('That is more than ' + sizeText(limit('maxBytes')) + '.', 'Leave something out, or make the files smaller.');
  }
  const body = new FormData();
  try {
    if (files.length > limit('maxParts')) {
      const parts = await pack(files);
      body.append('files', new Blob(parts, { type: 'application/zip' }), (folder || 'files') + '.zip');
      if (files.some(({ path }) => path === 'index.html')) body.append('zipIndexHtmlPath', 'index.html');
    } else {
      for (const { path, file } of files) body.append('files', file, path);
    }
  } catch {
    return refuse('A file could not be read.', 'Choose the files again.');
  }
  send(body, filesText(files.length) + ', ' + sizeText(total));
}

async function pack(files) {
  return zipParts(await Promise.all(files.map(async ({ path, file }) =>
    ({ path, bytes: new Uint8Array(await file.arrayBuffer()) }))));
}

function send(body, what) {
  at('said').replaceChildren();
  at('what').textContent = what;
  at('stage').textContent = 'Sending';
  at('progress').value = 0;
  show('sending');
  at('cancel').focus({ preventScroll: true });
  request = new XMLHttpRequest();
  request.open('POST', zone.action);
  request.setRequestHeader('Accept', 'application/json');
  request.upload.onprogress = ({ loaded, total }) => {
    at('progress').value = loaded / total * 100;
    move(loaded / total * 0.9);
    if (loaded === total) at('stage').textContent = 'Publishing';
  };
  request.onload = () => answered(request, body, what);
  request.onerror = () => lost('The connection broke.', 'Check your network and send it again.');
  request.onabort = () => lost('Cancelled.', 'Nothing was published.');
  request.send(body);
}

function lost(what, next) {
  request = undefined;
  refuse(what, next);
}

function answered(done, body, what) {
  request = undefined;
  const answer = read(done.responseText);
  if (answer.status === 'success') return launched(answer.data, done.getResponseHeader('Date'));
  if (answer.code === 'ZIP_MULTIPLE_HTML') return choose(answer.htmlPaths, body, what);
  const wait = String(answer.retryAfterSeconds) + ' seconds';
  const next = String(answer.nextStep || 'Try again in a minute.');
  refuse(String(answer.error || 'The service gave no answer that makes sense (' + done.status + ').'),
    next.replaceAll('\x60retryAfterSeconds\x60', wait).replaceAll('\x60', ''));
}

function read(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function choose(paths, body, what) {
  move(0);
  at('paths').replaceChildren(...paths.map((path, index) => option(path, path, index === 0)),
    option('', 'No start page: list the files', false));
  show('choosing');
  at('paths').querySelector('input').focus({ preventScroll: true });
  at('chosen').onclick = () => {
    const { value } = at('paths').querySelector('input:checked');
    body.delete('zipIndexHtmlPath');
    body.delete('asFileBundle');
    if (value === '') body.append('asFileBundle', 'true');
    else body.append('zipIndexHtmlPath', value);
    send(body, what);
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

function launched(data, date) {
  move(1);
  at('link').href = data.url;
  at('link').textContent = data.url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  at('claim').textContent = data.claimUrl;
  at('keep').href = data.claimUrl;
  show('live');
  at('live-title').textContent = 'Your link is live';
  at('live-title').focus({ preventScroll: true });
  // The header has whole seconds; better too little time left than too much.
  const skew = (Date.parse(date) + 999 || Date.now()) - Date.now();
  clearInterval(clock);
  const tick = () => {
    const left = Date.parse(data.expiresAt) - Date.now() - skew;
    at('clock').textContent = leftText(left);
    if (left > 0) return;
    clearInterval(clock);
    at('live-title').textContent = 'The time is up';
    say('The link has ended, unless you have kept it.', 'Publish again for a new one.');
  };
  clock = setInterval(tick, 1000);
  tick();
}

async function copy(button) {
  const text = button.dataset.copy === 'link' ? at('link').getAttribute('href') : at('claim').textContent;
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    at('spoken').textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(at(button.dataset.copy));
    button.textContent = 'Press Ctrl+C';
    at('spoken').textContent = 'Selected. Copy it with your keyboard.';
  }
  setTimeout(() => { button.textContent = before; at('spoken').textContent = ''; }, 2500);
}

async function walk(entry) {
  if (!entry.isDirectory) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...await walk(inner));
  }
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return plain(transfer.files);
  return (await Promise.all(entries.map(walk))).flat();
}

function plain(files) {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

function hover(event) {
  const holds = event.type === 'dragover' && event.dataTransfer.types.includes('Files');
  if (holds) event.preventDefault();
  zone.classList.toggle('over', holds && !request);
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
at('cancel').onclick = () => request?.abort();
for (const id of ['again', 'back']) {
  at(id).onclick = () => { clearInterval(clock); at('said').replaceChildren(); move(0); show('pick'); at('files').focus({ preventScroll: true }); };
}
zone.onsubmit = (event) => event.preventDefault();
document.documentElement.classList.add('scripted');
for (const part of document.querySelectorAll('.with-script')) part.hidden = false;
for (const part of document.querySelectorAll('.without-script')) part.hidden = true;
if (!('webkitdirectory' in at('folder'))) at('folder-label').hidden = true;
})();`;

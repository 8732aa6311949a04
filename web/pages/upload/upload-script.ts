import { zoneScript } from '../landing/zone-script.ts';

/**
 * The upload page's script: small uploads go to the link in one request, larger ones straight into
 * storage and then by their id. Once something is published the page takes nothing more.
 */
export const uploadScript = String.raw`(() => {
'use strict';
${zoneScript}
const { to } = zone.dataset;

function deliver(parcel) {
  if (parcel.total <= limit('maxInline')) return deliverForm(parcel);
  if (parcel.files.length > limit('maxUrls')) {
    return refuse('That is ' + parcel.files.length + ' files.', 'Put them into one ZIP and choose that.');
  }
  direct(parcel).catch(lost);
}

async function direct({ files, total }) {
  const sent = files.map(() => 0);
  const told = () => {
    const bytes = Math.min(total, sent.reduce((sum, one) => sum + one, 0));
    at('what').textContent = filesText(files.length) + ', ' + sizeText(bytes) + ' of ' + sizeText(total);
    progress(bytes / total);
  };
  begin('');
  told();
  const announced = files.map(({ path, file }) => ({ path, size: file.size }));
  const begun = await transfer('POST', to + '/uploads', JSON.stringify({ files: announced }));
  const { status, data } = read(begun.responseText);
  if (status !== 'success') return answered(begun);
  const waiting = [...files.keys()];
  const sender = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      await put(data.parts[index].url, files[index].file, (loaded) => { sent[index] = loaded; told(); });
    }
  };
  await Promise.all([sender(), sender(), sender()]).catch((why) => { waiting.length = 0; throw why; });
  await finish(data.uploadId);
}

async function put(url, file, told, tries = 3) {
  const done = await transfer('PUT', url, file, ({ loaded }) => told(loaded))
    .catch((why) => { if (why === 'cancelled' || tries === 1) throw why; });
  if (done?.status === 200) return told(file.size);
  if (tries === 1) throw 'broken';
  await pause(1);
  return put(url, file, told, tries - 1);
}

async function finish(uploadId, choice) {
  at('stage').textContent = 'Publishing';
  at('stage').focus({ preventScroll: true });
  at('cancel').hidden = true;
  const done = await transfer('PUT', to, JSON.stringify({ uploadId, ...choice }));
  const { status, data } = read(done.responseText);
  if (status !== 'success') {
    return answered(done, (choice) => { begin(''); progress(1); finish(uploadId, choice).catch(lost); });
  }
  const failure = await failureOf(uploadId);
  if (failure) refuse(failure.error, nextOf(failure));
  else launched(data);
}

async function failureOf(uploadId) {
  for (;;) {
    // A connection that breaks now changes nothing: the service is at work.
    const done = await transfer('GET', to + '/uploads/' + uploadId).catch(() => undefined);
    const { data, retryAfterSeconds } = read(done?.responseText);
    if (data?.status === 'published') return undefined;
    if (data?.failure) return data.failure;
    if (data) at('what').textContent = data.files.done + ' of ' + filesText(data.files.total);
    await pause(retryAfterSeconds || 3);
  }
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function launched({ url }) {
  at('said').replaceChildren();
  showLink(url, 'It is published');
}
})();`;

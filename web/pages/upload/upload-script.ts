import { zoneScript } from '../landing/zone-script.ts';

/**
 * The upload page's script: small uploads go to the link in one request, larger ones straight into
 * storage, and are then published by upload id. After that the page accepts nothing more.
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
  uploadToStorage(parcel).catch(handleFailure);
}

async function uploadToStorage(parcel, choice) {
  const { files, total } = parcel;
  const sent = files.map(() => 0);
  const updateProgress = () => {
    const bytes = Math.min(total, sent.reduce((sum, one) => sum + one, 0));
    at('what').textContent = filesText(files.length) + ', ' + sizeText(bytes) + ' of ' + sizeText(total);
    showProgress(bytes / total);
  };
  showSending('');
  updateProgress();
  const declared = files.map(({ path, file }) => ({ path, size: file.size }));
  const created = await transfer('POST', to + '/uploads', JSON.stringify({ files: declared }));
  const { status, data } = parseJson(created.responseText);
  if (status !== 'success') return handleResponse(created);
  const waiting = [...files.keys()];
  const sender = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      await put(data.parts[index].url, files[index].file, (loaded) => { sent[index] = loaded; updateProgress(); });
    }
  };
  await Promise.all([sender(), sender(), sender()]).catch((reason) => { waiting.length = 0; throw reason; });
  await finish(parcel, data.uploadId, choice);
}

async function put(url, file, onSent, attempts = 3) {
  const done = await transfer('PUT', url, file, ({ loaded }) => onSent(loaded))
    .catch((reason) => { if (reason === 'cancelled' || attempts === 1) throw reason; });
  if (done?.status === 200) return onSent(file.size);
  if (attempts === 1) throw 'broken';
  await pause(1);
  return put(url, file, onSent, attempts - 1);
}

async function finish(parcel, uploadId, choice) {
  at('stage').textContent = 'Publishing';
  at('stage').focus({ preventScroll: true });
  at('cancel').hidden = true;
  const done = await transfer('PUT', to, JSON.stringify({ uploadId, ...parcel.options, ...choice }));
  const { status, data } = parseJson(done.responseText);
  if (status !== 'success') {
    return handleResponse(done, (more) => { showSending(''); showProgress(1); finish(parcel, uploadId, { ...choice, ...more }).catch(handleFailure); });
  }
  await showPublished(data, (more) => uploadToStorage(parcel, { ...choice, ...more }).catch(handleFailure));
}

async function endOf(uploadId) {
  for (;;) {
    // A failed request here changes nothing: the service continues to publish.
    const done = await transfer('GET', to + '/uploads/' + uploadId).catch(() => undefined);
    const { data, retryAfterSeconds } = parseJson(done?.responseText);
    if (data?.status === 'published' || data?.failure) return data;
    if (data) at('what').textContent = data.files.done + ' of ' + filesText(data.files.total);
    await pause(retryAfterSeconds || 3);
  }
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

// With an uploadId, the files are stored after the answer. Of a failed upload nothing is kept: it is sent again.
async function showPublished({ url, uploadId, warnings }, retry) {
  const end = uploadId ? await endOf(uploadId) : { warnings };
  if (end.failure) return handleRefusal(end.failure, retry);
  at('said').replaceChildren();
  showLink(url, 'It is published', end.warnings);
}
})();`;
